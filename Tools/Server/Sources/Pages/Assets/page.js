// Keys, the palette, live news and endless lists. Every page reads and works without any of it.
const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const german = document.documentElement.lang === 'de';
const text = german
  ? { goTo: 'Gehe zu …', keys: 'Tasten', news: 'Neues: anzeigen', palette: 'Befehle', search: 'Suchen',
      rows: 'Zeile auf und ab', open: 'Öffnen', undo: 'Zurücknehmen',
      since: 'Was sich seit dem letzten Besuch bewegt hat' }
  : { goTo: 'Go to…', keys: 'Keys', news: 'News: show', palette: 'Commands', search: 'Search',
      rows: 'Row down and up', open: 'Open', undo: 'Undo', since: 'What moved since you last looked' };
const isOfNow = !new URL(location).searchParams.get('asOf');
const isTyping = (target) => target.closest?.('input, select, textarea, [contenteditable]');

// Commands are the links of the page that have a key or are in the menu.
const commands = () => all('.menu a, [data-key]').filter((link) => link.href)
  .map((link) => ({ name: link.textContent.trim(), href: link.href,
    key: link.dataset.go ? `g ${link.dataset.go}` : link.dataset.key }));

function dialog(label) {
  $('dialog')?.remove();
  const box = document.createElement('dialog');
  box.setAttribute('aria-label', label);
  document.body.append(box);
  box.addEventListener('close', () => box.remove());
  return box;
}

function line({ name, href, key }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  if (href) link.href = href;
  link.append(name);
  if (key) {
    const mark = document.createElement('kbd');
    mark.textContent = key;
    link.append(mark);
  }
  item.append(link);
  return item;
}

function openPalette() {
  const box = dialog(text.palette);
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = text.goTo;
  input.setAttribute('aria-label', text.goTo);
  const list = document.createElement('ul');
  box.append(input, list);
  let chosen = 0;
  const show = () => {
    const wanted = input.value.trim().toLowerCase();
    const found = commands().filter((one) => one.name.toLowerCase().includes(wanted));
    if (wanted) {
      found.push({ name: `${text.search} “${input.value}”`,
        href: `/transactions?text=${encodeURIComponent(input.value)}` });
    }
    list.replaceChildren(...found.map(line));
    chosen = Math.max(0, Math.min(chosen, found.length - 1));
    all('a', list).forEach((link, index) => link.classList.toggle("at", index === chosen));
  };
  input.addEventListener('input', () => { chosen = 0; show(); });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      chosen += event.key === 'ArrowDown' ? 1 : -1;
      show();
      event.preventDefault();
    } else if (event.key === 'Enter') {
      all('a', list)[chosen]?.click();
      event.preventDefault();
    }
  });
  show();
  box.showModal();
  input.focus();
}

function openKeys() {
  const box = dialog(text.keys);
  const title = document.createElement('h2');
  title.textContent = text.keys;
  const list = document.createElement('ul');
  list.append(...[...commands(), { name: text.palette, key: 'Ctrl-K' }, { name: text.undo, key: 'Ctrl-Z' }, { name: text.search, key: '/' },
    { name: text.rows, key: 'j k' }, { name: text.open, key: 'Enter' }].map(line));
  box.append(title, list);
  box.tabIndex = -1;
  box.showModal();
}

// Rows are walked by j and k.
function walk(step) {
  const rows = all('.row');
  if (!rows.length) return;
  const at = rows.findIndex((row) => row.classList.contains('at'));
  const next = rows[Math.max(0, Math.min(rows.length - 1, at < 0 ? 0 : at + step))];
  rows[at]?.classList.remove('at');
  next.classList.add('at');
  next.scrollIntoView({ block: 'nearest' });
  $('.what', next).focus({ preventScroll: true });
}

// What was said once is not said again by reloading.
const said = new URL(location);
if (said.searchParams.has('done')) {
  said.searchParams.delete('done');
  said.searchParams.delete('commit');
  history.replaceState(null, '', said);
}

// Sends a form that is not on the page.
function send(action, fields) {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
}

let waitsForView = false;
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    openPalette();
    return;
  }
  const isRedo = event.key === 'y' || event.key === 'Z';
  if ((event.ctrlKey || event.metaKey) && (event.key === 'z' || isRedo) && !isTyping(event.target)) {
    event.preventDefault();
    if (isOfNow) send(isRedo ? '/redo' : '/undo', { back: location.pathname + location.search });
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || $('dialog')) return;
  if (waitsForView) {
    waitsForView = false;
    const link = $(`[data-go="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
    return;
  }
  const command = $(`[data-key="${CSS.escape(event.key)}"]`);
  if (event.key === 'g') waitsForView = true;
  else if (event.key === '?') openKeys();
  else if (event.key === '/') { event.preventDefault(); $('#find')?.focus(); }
  else if (event.key === 'j') walk(1);
  else if (event.key === 'k') walk(-1);
  else if (command) { event.preventDefault(); command.click(); }
});

// The next page of a list is fetched before its end is reached, and put where the list goes on.
const rows = $('#rows');
const watcher = rows && new IntersectionObserver(async (entries) => {
  const link = $('.pager [rel=next]');
  if (!link || !entries.some((entry) => entry.isIntersecting)) return;
  watcher.disconnect();
  try {
    const answer = await fetch(link.href, { credentials: 'same-origin' });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const day of all('#rows > .day', page)) {
      const same = $(`#rows > [data-day="${CSS.escape(day.dataset.day)}"] .rows`);
      if (same) same.append(...all('.row', day)); else rows.append(day);
    }
    const next = $('.pager [rel=next]', page);
    if (next) link.href = next.href; else link.remove();
  } finally {
    watch();
  }
}, { rootMargin: '1500px' });
function watch() {
  const link = $('.pager [rel=next]');
  if (watcher && link) watcher.observe(link);
}
watch();

// News: a page of now that nobody types into shows what others recorded at once; where somebody reads further
// down or types, a button offers it, and nothing moves.
const hasForm = $('main form.grid') !== null && $('details.filter') === null;
async function refresh() {
  const answer = await fetch(location, { credentials: 'same-origin' });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const known = new Set(all('.row').map((row) => row.dataset.number));
  for (const row of all('.row', page)) row.classList.toggle('new', !known.has(row.dataset.number));
  $('main').replaceWith($('main', page));
  document.documentElement.dataset.sequence = page.documentElement.dataset.sequence;
  $('.live')?.remove();
  location.hash = '';
}
function offer() {
  if ($('.live')) return;
  const button = document.createElement('button');
  button.className = 'live';
  button.textContent = text.news;
  button.addEventListener('click', () => location.reload());
  document.body.append(button);
}
function news(event) {
  if (JSON.parse(event.data).sequence <= Number(document.documentElement.dataset.sequence)) return;
  const isReading = scrollY > 200 || hasForm || isTyping(document.activeElement) || $('dialog, details.filter[open]');
  if (isReading) offer(); else refresh();
}
if (isOfNow) {
  // One stream serves all tabs: the one that holds the lock listens, and tells the others.
  const channel = new BroadcastChannel('daybook');
  channel.addEventListener('message', (event) => news(event));
  const listen = () => new Promise(() => {
    const after = encodeURIComponent(document.documentElement.dataset.token);
    const stream = new EventSource(`/v1/changes?after=${after}`);
    stream.addEventListener('commit', (event) => {
      channel.postMessage(event.data);
      news(event);
    });
    addEventListener('pagehide', () => stream.close());
  });
  if (navigator.locks) navigator.locks.request('daybook-changes', listen); else listen();
}

// The overview says what moved since it was last looked at, in this browser.
if (isOfNow && location.pathname === '/') {
  const newest = Number(document.documentElement.dataset.sequence);
  const seen = Number(localStorage.getItem('daybook-seen') ?? newest);
  localStorage.setItem('daybook-seen', newest);
  if (seen > 0 && seen < newest) {
    const note = document.createElement('p');
    note.className = 'notice';
    const link = document.createElement('a');
    link.href = `/compare?from=${seen}`;
    link.textContent = `${text.since} (${newest - seen})`;
    note.append(link);
    $('.heading').after(note);
  }
}
$('.menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

// A file may be dropped anywhere on the form for it.
const drop = $('.drop');
if (drop) {
  for (const kind of ['dragover', 'drop', 'dragleave']) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle('over', kind === 'dragover');
      if (kind !== 'drop' || !event.dataTransfer.files.length) return;
      $('input[type=file]', drop).files = event.dataTransfer.files;
      drop.requestSubmit();
    });
  }
}
