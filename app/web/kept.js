// What was read last, for when there is no connection. It belongs to its user, and goes when they sign out.

const NAME = "summit-kept", STORE = "answers", LONGEST_MS = 30 * 86400000;
const KEPT = /^\/v1\/(todos|events|notes|instructions|occurrences|notifications|memos|settings|profile|insights|threads|changes)\b/;
let opened = null;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ["user", "path"] });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function within(mode, act) {
  const request = act((await open()).transaction(STORE, mode).objectStore(STORE));
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

const nameOf = (path) => path.split("?")[0];
const isKept = (user, path) => user && KEPT.test(path) && !/[?&]q=/.test(path);

export async function keep(user, path, document) {
  if (!isKept(user, path)) return;
  await within("readwrite", (store) => store.put({ user, path, at: Date.now(), document })).catch(() => {});
}

// The same question's answer, or else the newest to one of its kind: the days that are asked for move on.
export async function last(user, path) {
  if (!isKept(user, path)) return null;
  const mine = (await within("readonly", (store) => store.getAll()).catch(() => [])).filter((one) => one.user === user);
  const alike = mine.filter((one) => nameOf(one.path) === nameOf(path) && nameOf(path) === "/v1/occurrences");
  return mine.find((one) => one.path === path) ?? alike.sort((one, other) => other.at - one.at)[0] ?? null;
}

export async function forget() {
  await within("readwrite", (store) => store.clear()).catch(() => {});
}

// What was not read for long, or is somebody else's, is nobody's business here.
export async function tidy(user) {
  const stale = (await within("readonly", (store) => store.getAll()).catch(() => [])).filter((one) => one.user !== user || Date.now() - one.at > LONGEST_MS);
  await Promise.all(stale.map((one) => within("readwrite", (store) => store.delete([one.user, one.path])))).catch(() => {});
}
