// Keeps the page itself at hand, so that it opens without a connection. Nothing of the user's is kept here.

const CACHE = "summit-page";
const SHELL = ["/", "/page/style.css", "/page/figtree.woff2", "/page/icon.svg", "/page/manifest.webmanifest",
  ...["access", "api", "cards", "clashes", "day", "dictation", "dom", "edit", "events", "everything", "format", "habits", "history", "kept", "lessons", "live", "localmodels", "login", "mail", "main", "marks", "memory", "menu", "models", "notes", "outbox", "phases", "plain", "preview", "projects", "recorder", "rules", "search", "settings", "store", "talk", "taps", "theme", "todos", "topics", "undo", "voice", "waiting", "week", "work", "workflows", "zone"].map((name) => `/page/${name}.js`)];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin || !SHELL.includes(pathname)) return;
  event.respondWith(fresh(event.request));
});

async function fresh(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
