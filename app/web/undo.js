// The way back from any change, by its id.

import { post } from "./api.js";
import { failed, uuid } from "./dom.js";

export function undoChange(id) {
  return post(`/v1/changes/${id}/undo`, {}, { headers: { "Idempotency-Key": uuid() } }).catch(failed);
}
