// Comfort only: every page is complete without this script.
"use strict";

const said = document.getElementById("said");
const cookie = name => document.cookie.split("; ").find(each => each.startsWith(name + "="))?.slice(name.length + 1);
const keep = (name, value) => {
  const age = value ? 31536000 : 0;
  document.cookie = `${name}=${value}; path=/; max-age=${age}; samesite=strict`;
};

// ---------- copying ----------
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      announce(button, "Copied");
    } catch {
      announce(button, "Not copied");
    }
  });
}

function announce(button, words) {
  button.textContent = words;
  said.textContent = words;
  setTimeout(() => { button.textContent = "Copy"; said.textContent = ""; }, 2000);
}

// ---------- times ----------
const MINUTE = 60000;
const absolute = at => zone === "local"
  ? at.toLocaleString([], { dateStyle: "medium", timeStyle: "short" })
  : at.toISOString().slice(0, 16).replace("T", " ") + " UTC";
let zone = cookie("zone") || "UTC";

// As bot/web/pages/times.py says it.
function age(at) {
  const minutes = Math.floor((Date.now() - at) / MINUTE);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return minutes <= 7 * 24 * 60 ? `${Math.floor(minutes / (24 * 60))} d` : null;
}

function refresh() {
  for (const time of document.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    if (!time.title) {
      if (zone === "local") time.textContent = at.toLocaleString([], { dateStyle: "medium", timeStyle: "medium" });
      continue;
    }
    time.title = absolute(at);
    time.textContent = time.dataset.full ? absolute(at) : age(at) ?? time.textContent;
  }
}
// Hovering is not for everybody: a tap shows the whole time, another one takes it away.
document.addEventListener("click", event => {
  const time = event.target.closest?.("time[title]");
  if (!time) return;
  time.dataset.full = time.dataset.full ? "" : "1";
  refresh();
});
if (document.querySelector("time")) {
  refresh();
  setInterval(refresh, MINUTE);
}

// ---------- switches ----------
const root = document.documentElement;
let keys = cookie("keys") !== "off";
const switches = {
  theme: {
    next: () => {
      const after = { "": "dark", dark: "light", light: "" }[root.dataset.theme || ""];
      if (after) root.dataset.theme = after; else delete root.dataset.theme;
      keep("theme", after);
    },
    words: () => `Theme: ${root.dataset.theme || "system"}`,
  },
  zone: {
    next: () => { zone = zone === "UTC" ? "local" : "UTC"; keep("zone", zone === "UTC" ? "" : zone); location.reload(); },
    words: () => `Times: ${zone}`,
  },
  keys: {
    next: () => { keys = !keys; keep("keys", keys ? "" : "off"); },
    words: () => `Shortcuts: ${keys ? "on" : "off"}`,
  },
};
for (const button of document.querySelectorAll("[data-switch]")) {
  const each = switches[button.dataset.switch];
  button.textContent = each.words();
  button.addEventListener("click", () => { each.next(); button.textContent = each.words(); });
}

// ---------- filters ----------
const filters = document.querySelector(".filters");
filters?.addEventListener("change", event => { if (event.target.matches("select")) filters.requestSubmit(); });

// ---------- addresses of facts ----------
// Versions before this page's oldest are on an older page; what is folded is opened.
function reach() {
  const name = decodeURIComponent(location.hash.slice(1));
  const target = name && document.getElementById(name);
  if (target) {
    for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    target.scrollIntoView();
  } else if (/^v\d+$/.test(name) && document.getElementById("history") && !location.search.includes("before=")) {
    location.replace(`?before=${Number(name.slice(1)) + 1}${location.hash}`);
  }
}
addEventListener("hashchange", reach);
reach();

// ---------- keyboard ----------
const rows = [...document.querySelectorAll("[data-row] .what a, .need .cmd button")];
let pending = "";
const moves = {
  "/": () => document.getElementById("q")?.focus(),
  j: () => step(1),
  k: () => step(-1),
  c: () => (document.activeElement.closest?.("li") ?? document).querySelector("[data-copy]")?.click(),
  "?": list,
  gl: () => { location.href = "/"; },
};

function step(by) {
  const at = rows.indexOf(document.activeElement);
  rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}

function list() {
  const dialog = document.createElement("dialog");
  dialog.className = "keys";
  dialog.setAttribute("aria-label", "Shortcuts");
  const facts = document.createElement("dl");
  facts.className = "facts";
  for (const [key, words] of [["/", "filter"], ["j  k", "next and previous row"], ["Enter", "open"],
    ["c", "copy the command"], ["g l", "lifecycles"], ["?", "this list"], ["Esc", "back"]]) {
    facts.append(Object.assign(document.createElement("dt"), { textContent: key }));
    facts.append(Object.assign(document.createElement("dd"), { textContent: words }));
  }
  dialog.append(Object.assign(document.createElement("h2"), { textContent: "Shortcuts" }), facts);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener("keydown", event => {
  const typing = event.target.closest?.("input, select, textarea, [contenteditable], dialog");
  if (!keys || typing || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape") event.target.blur?.();
    return;
  }
  if (event.key === "Escape" && document.querySelector(".crumbs")) { location.href = "/"; return; }
  const move = moves[pending + event.key] ?? moves[event.key];
  pending = event.key === "g" ? "g" : "";
  if (!move) return;
  event.preventDefault();
  move();
});
