// Keys, the palette, live news and endless lists. Every page reads and works without any of it.
const $ = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
// What is said stands on the page, in its language.
const say = (name) => document.body.dataset[`say${name}`];
const asking = {};
function soon(name, act) {
  clearTimeout(asking[name]);
  asking[name] = setTimeout(act, 120);
}
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
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

// An address of the moment that the page is of.
function inMoment(path) {
  const address = new URL(path, location);
  for (const name of ['asOf', 'today']) {
    const value = new URL(location).searchParams.get(name);
    if (value) address.searchParams.set(name, value);
  }
  return address.href;
}
// What has a name can be gone to: accounts and categories, asked for once.
let asked = null;
const named = () => asked ??= Promise.all(['accounts', 'categories'].map(async (kind) => {
  const answer = await fetch(inMoment(`/v1/${kind}?limit=500`)).catch(() => null);
  return answer?.ok ? (await answer.json())[kind] : [];
})).then(([accounts, categories]) => {
  return [...accounts.map(({ account }) => ({ name: account.name, href: inMoment(`/transactions?account=${account.id}`) })),
    ...categories.map(({ id, name }) => ({ name, href: inMoment(`/categories/${id}`) }))];
});

function openPalette() {
  const box = dialog(say('Palette'));
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = say('GoTo');
  input.setAttribute('aria-label', say('GoTo'));
  const list = document.createElement('ul');
  box.append(input, list);
  let chosen = 0;
  let names = [];
  const show = () => {
    const wanted = input.value.trim().toLowerCase();
    const known = wanted ? [...commands(), ...names] : commands();
    const found = known.filter((one) => one.name.toLowerCase().includes(wanted)).slice(0, 30);
    if (wanted) {
      found.push({ name: `${say('Search')} “${input.value}”`,
        href: inMoment(`/transactions?text=${encodeURIComponent(input.value)}`) });
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
    } else if (event.key === 'Escape') box.close();
    else if (event.key === 'Enter') {
      all('a', list)[chosen]?.click();
      event.preventDefault();
    }
  });
  show();
  named().then((found) => { names = found; show(); });
  box.showModal();
  input.focus();
}

function openKeys() {
  const box = dialog(say('Keys'));
  const title = document.createElement('h2');
  title.textContent = say('Keys');
  const list = document.createElement('ul');
  list.append(...[...commands(), { name: say('Palette'), key: 'Ctrl-K' }, { name: say('Undo'), key: 'Ctrl-Z' },
    { name: say('Redo'), key: 'Ctrl-Y' }, { name: say('Search'), key: '/' },
    { name: say('Rows'), key: 'j k' }, { name: say('Open'), key: 'Enter' },
    { name: say('Select'), key: 'x' }, { name: say('Inline'), key: 'e' }].map(line));
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
  history.replaceState(history.state, '', said);
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
  const key = event.key.toLowerCase();
  const isRedo = key === 'y' || key === 'z' && event.shiftKey;
  if ((event.ctrlKey || event.metaKey) && (key === 'z' || isRedo) && !isTyping(event.target)) {
    event.preventDefault();
    if (isOfNow) send(isRedo ? '/redo' : '/undo', { back: location.pathname + location.search });
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || $('dialog[open]')) return;
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
  else if (event.key === 'x' && $('.row.at')) toggleRow();
  else if (event.key === 'e' && $('.row.at')) { event.preventDefault(); editRow($('.row.at')); }
  else if (event.key === 'j') walk(1);
  else if (event.key === 'k') walk(-1);
  else if (command) { event.preventDefault(); command.click(); }
});

// Rows are selected by x, by a click on their box, and several by shift with it.
let lastBox = null;
function tell() {
  const count = $('.selected-count');
  if (count) count.textContent = all('.row > :checked').length;
}
document.addEventListener('click', (event) => {
  const box = event.target.closest?.('.row > input');
  if (!box) return;
  if (event.shiftKey && lastBox) {
    const boxes = all('.row > input');
    const [from, to] = [boxes.indexOf(lastBox), boxes.indexOf(box)].sort((a, b) => a - b);
    if (from >= 0) boxes.slice(from, to + 1).forEach((one) => { one.checked = box.checked; });
  }
  lastBox = box;
  tell();
});
function toggleRow() {
  const row = $('.row.at');
  const box = row && $('input[name=row]', row);
  if (box) { box.checked = !box.checked; lastBox = box; tell(); }
}
tell();

// A row is changed where it stands: the form of its page, with the fields that are changed most.
const shown = ['day', 'payee', 'category', 'amount'];
function showForm(row, page) {
  const form = $('main form.grid', page);
  if (!form || !$('#f-payee', form)) return false;
  form.classList.remove('card');
  for (const field of all('p:not(.actions)', form)) {
    const name = $('input, select', field)?.name;
    field.hidden = !shown.includes(name) && !$('.fault', field);
  }
  // The form for filters above has fields of the same names.
  for (const one of all('[id]', form)) one.id = `row-${one.id}`;
  for (const name of ['for', 'list', 'aria-describedby']) {
    for (const one of all(`[${name}]`, form)) one.setAttribute(name, `row-${one.getAttribute(name)}`);
  }
  $('.actions a', form).removeAttribute('href');
  $('.actions a', form).setAttribute('role', 'button');
  $('.actions a', form).tabIndex = 0;
  const problem = $('main .problem', page);
  row.replaceChildren(...(problem ? [problem] : []), form);
  ($('[aria-invalid]', form) ?? $('#row-f-payee', form)).focus();
  return true;
}
const read = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html');
async function editRow(row) {
  if (!row || row.classList.contains('editing') || !$('.row > input')) return;
  const link = $('.what', row).href;
  const answer = await fetch(`${new URL(link).pathname}/edit`, { credentials: 'same-origin' }).catch(() => null);
  if (!answer?.ok) { location.href = link; return; }
  const before = [...row.childNodes];
  if (!showForm(row, await read(answer))) { location.href = link; return; }
  row.classList.add('editing');
  const close = () => {
    row.classList.remove('editing');
    row.replaceChildren(...before);
    $('.what', row)?.focus();
  };
  row.onkeydown = (event) => { if (event.key === 'Escape') close(); };
  row.onclick = (event) => { if (event.target.closest('.actions a')) close(); };
  row.onsubmit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const sent = await fetch(form.action, { method: 'POST', credentials: 'same-origin', body: new URLSearchParams(new FormData(form)) })
      .catch(() => null);
    if (!sent) { away(true); return; }
    if (!sent.ok) { showForm(row, await read(sent)); return; }
    row.classList.remove('editing');
    await refresh();
    const again = $(`[data-number="${row.dataset.number}"]`);
    again?.classList.add('at');
    $('.what', again ?? document.body)?.focus({ preventScroll: true });
  };
}
document.addEventListener('dblclick', (event) => {
  const row = event.target.closest?.('.row');
  if (row && !event.target.closest('a, input')) editRow(row);
});

// The next page of a list is fetched before its end is reached, and put where the list goes on.
function join(list, page) {
  const rows = $('#rows', list);
  for (const day of all('#rows > .day', page)) {
    const same = $(`[data-day="${CSS.escape(day.dataset.day)}"] .rows`, rows);
    if (same) same.append(...all('.row', day)); else rows.append(day);
  }
  const link = $('.pager [rel=next]', list);
  const next = $('.pager [rel=next]', page);
  if (link && next) link.setAttribute('href', next.getAttribute('href')); else link?.remove();
  return next && link;
}
let coming = null;
// Fetches it, once for whoever wants it; says whether there was one.
function more() {
  coming ??= (async () => {
    const main = $('main');
    const link = $('.pager [rel=next]');
    const answer = link && await fetch(link.href, { credentials: 'same-origin' }).catch(() => null);
    const page = answer?.ok && await read(answer);
    // The list may have been exchanged for another meanwhile.
    if (!page || main !== $('main')) return false;
    join(document, page);
    return true;
  })().finally(() => { coming = null; });
  return coming;
}
const watcher = $('#rows') && new IntersectionObserver(async (entries) => {
  if (!$('.pager [rel=next]') || !entries.some((entry) => entry.isIntersecting)) return;
  watcher.disconnect();
  await more();
  watch();
}, { rootMargin: '1500px' });
function watch() {
  const link = $('.pager [rel=next]');
  if (watcher && link) watcher.observe(link);
}
watch();

// Who comes back to a list finds the place again, as far as it was scrolled.
const place = location.pathname === '/transactions' && history.state;
if (place?.rows > all('.row').length) {
  history.scrollRestoration = 'manual';
  (async () => {
    while (all('.row').length < Math.min(place.rows, 1000) && await more());
    scrollTo(0, place.y);
  })();
}
function keepPlace() {
  if (location.pathname === '/transactions') history.replaceState({ rows: all('.row').length, y: scrollY }, '');
}
addEventListener('scroll', () => soon('place', keepPlace));
addEventListener('click', keepPlace, true);

// News: a page of now that nobody types into shows what others recorded at once; where somebody reads further
// down or types, a button offers it, and nothing moves. A page that is a form stays as it is: who changes what
// somebody changed meanwhile is told so when it is sent.
const isForm = () => all('main form[method=post]').some((form) => form.id !== 'several'
  && !form.closest('details, .finding') && $('input:not([type=hidden]), select', form));
const isReading = () => scrollY > 200 || isTyping(document.activeElement)
  || $('.row.editing, .row > :checked, dialog, details.filter[open], details.add[open]');
async function refresh() {
  const answer = await fetch(location, { credentials: 'same-origin' });
  if (!answer.ok) return;
  const page = await read(answer);
  const known = new Set(all('.row').map((row) => row.dataset.number));
  const count = known.size;
  for (let next = $('.pager [rel=next]', page); next && all('.row', page).length < count;) {
    const more = await fetch(next.href, { credentials: 'same-origin' });
    if (!more.ok) break;
    next = join(page, await read(more));
  }
  for (const row of all('.row', page)) row.classList.toggle('new', !known.has(row.dataset.number));
  const [x, y] = [scrollX, scrollY];
  // A new one that somebody has begun to type goes along, and so does what was just said.
  const begun = $('main details.add[open]');
  if (begun) $('main details.add', page)?.replaceWith(begun);
  const told = $('main .notice[role=status]:not(.verifying)');
  if (told && !$('main .notice[role=status]', page)) $('main .heading', page).after(told);
  $('main').replaceWith($('main', page));
  scrollTo(x, y);
  watch();
  Object.assign(document.documentElement.dataset, page.documentElement.dataset);
  $('.live')?.remove();
  tell();
}
// What a split still has to give to its parts counts down as one types.
const parts = () => $('.parts');
function sum(typed, mark) {
  const text = typed.replaceAll(mark === ',' ? '.' : ',', '').replaceAll(mark, '.').replaceAll(' ', '');
  return (text.match(/[+-]?[^+-]+/g) ?? []).reduce((all, part) => all + Number(part), 0);
}
document.addEventListener('input', (event) => {
  const form = parts()?.closest('form');
  if (!form || !form.contains(event.target)) return;
  const output = $('output', form);
  const isIncome = ($('[name=type]', form)?.value ?? form.dataset.type) === 'income';
  let rest = sum($('[name=amount]', form).value, output.dataset.mark);
  for (const part of all('.part', form)) {
    const isOther = ($('option:checked', part).dataset.kind === 'income') !== isIncome && $('select', part).value;
    rest -= sum($('input', part).value, output.dataset.mark) * (isOther ? -1 : 1);
  }
  output.textContent = Number.isFinite(rest) ? rest.toFixed(2).replace('.', output.dataset.mark) : '–';
});
// What a statement lacks counts down as rows are ticked, and is recorded once nothing is left.
document.addEventListener('input', ({ target }) => {
  const facts = $('.counted');
  const form = facts?.closest('form');
  if (!form?.contains(target)) return;
  const { locked, currency, digits, mark } = facts.dataset;
  const ticked = all('[name=row]:checked', form);
  const balance = ticked.reduce((total, box) => total + Number(box.dataset.units), Number(locked));
  const typed = $('[name=statement]', form).value.trim();
  const missing = typed ? Math.round(sum(typed, mark) * 10 ** digits) - balance : NaN;
  let style;
  try { style = new Intl.NumberFormat(navigator.language, { style: 'currency', currency }); } catch {}
  const show = (figure, units) => {
    const value = units / 10 ** digits;
    figure.textContent = Number.isNaN(value) ? '–' : style?.format(value) ?? `${value.toFixed(digits)} ${currency}`;
    figure.classList.toggle('below', units < 0);
  };
  const [held, left] = all('.figure', facts);
  show(held, balance);
  show(left, missing);
  $('[value=record]', form).hidden = !ticked.length || missing !== 0;
});
// The list is searched as one types, by asking the server.
$('#find')?.addEventListener('input', ({ target }) => soon('find', async () => {
  if (location.pathname !== '/transactions') return;
  const address = new URL(location);
  address.searchParams.delete('after');
  if (target.value) address.searchParams.set('text', target.value); else address.searchParams.delete('text');
  const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => null);
  if (!answer?.ok || target.value !== (address.searchParams.get('text') ?? '')) return;
  history.replaceState(null, '', address);
  $('main').replaceWith($('main', await read(answer)));
  watch();
}));
// The server is away: a bar says so, what was typed stays, and the page goes on when it is back.
function away(isAway) {
  const bar = $('.away');
  if (!isAway) { bar?.remove(); return; }
  if (bar) return;
  const note = document.createElement('p');
  note.className = 'problem away';
  note.setAttribute('role', 'alert');
  note.textContent = say('Away');
  document.body.append(note);
}
const isThere = () => fetch('/assets/icon.svg', { cache: 'no-store' }).then((answer) => answer.ok, () => false);
document.addEventListener('submit', async (event) => {
  if (event.defaultPrevented || event.target.dataset.tried) return;
  // Asks first, so that a form is not exchanged for the browser's own page of errors.
  event.preventDefault();
  const [form, button] = [event.target, event.submitter];
  if (!await isThere()) { away(true); waitForServer(); return; }
  form.dataset.tried = 'yes';
  // What comes is another page: news of what this one did has no place on it.
  document.documentElement.dataset.sent = '';
  form.requestSubmit(button);
  delete form.dataset.tried;
});
async function waitForServer() {
  while ($('.away')) {
    await pause(1000);
    if (await isThere()) away(false);
  }
}
function offer() {
  if ($('.live')) return;
  const button = document.createElement('button');
  button.className = 'live';
  button.textContent = say('News');
  button.addEventListener('click', refresh);
  document.body.append(button);
}
function news(data) {
  if (JSON.parse(data).sequence > Number(document.documentElement.dataset.sequence)) arrived();
}
let isWaiting = false;
function arrived() {
  if (isForm() || isWaiting || 'sent' in document.documentElement.dataset) return;
  if (isReading()) offer();
  else if (!document.hidden) refresh();
  else {
    isWaiting = true;
    document.addEventListener('visibilitychange', () => { isWaiting = false; arrived(); }, { once: true });
  }
}
if (isOfNow) {
  // One stream serves all tabs: the one that holds the lock listens, and tells the others.
  const channel = new BroadcastChannel('daybook');
  channel.addEventListener('message', (event) => news(event.data));
  const follow = () => new Promise((end) => {
    const after = encodeURIComponent(document.documentElement.dataset.token);
    const stream = new EventSource(`/v1/changes?after=${after}`);
    stream.addEventListener('commit', (event) => {
      channel.postMessage(event.data);
      news(event.data);
    });
    stream.addEventListener('error', () => {
      // What is refused, as after a purge, is begun anew; what broke off comes again by itself.
      if (stream.readyState === EventSource.CLOSED) end();
      else { away(true); waitForServer(); }
    });
    stream.addEventListener('open', () => away(false));
    addEventListener('pagehide', () => stream.close());
  });
  const listen = async () => {
    for (;;) {
      await follow();
      await pause(2000);
      const answer = await fetch(location, { credentials: 'same-origin' }).catch(() => null);
      if (!answer?.ok) continue;
      document.documentElement.dataset.token = (await read(answer)).documentElement.dataset.token;
      arrived();
    }
  };
  if (navigator.locks) navigator.locks.request('daybook-changes', listen); else listen();
}

$('.menu [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

// What is wrong in a form that came back is gone to.
$('main [aria-invalid]')?.focus();

// A check that runs is asked how far it has come.
async function followCheck() {
  while ($('.verifying')) {
    await pause(300);
    const answer = await fetch(location, { credentials: 'same-origin' }).catch(() => null);
    if (!answer?.ok) continue;
    const page = await read(answer);
    $('main').replaceWith($('main', page));
    $('footer').replaceWith($('footer', page));
  }
}
followCheck();

// A file may be dropped anywhere: it is shown before anything is recorded.
function dropForm() {
  const form = document.createElement('form');
  form.hidden = true;
  form.method = 'post';
  form.action = '/import';
  form.enctype = 'multipart/form-data';
  const field = document.createElement('input');
  field.type = 'file';
  field.name = 'file';
  form.append(field);
  document.body.append(form);
  return form;
}
for (const kind of ['dragover', 'drop', 'dragleave']) {
  addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    ($('.drop') ?? document.body).classList.toggle('over', kind === 'dragover');
    if (kind !== 'drop' || !event.dataTransfer.files.length) return;
    const form = $('.drop') ?? dropForm();
    $('input[type=file]', form).files = event.dataTransfer.files;
    form.requestSubmit();
  });
}
