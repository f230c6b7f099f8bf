// What others record comes by itself, and the page goes on when the server is back.
import { $, all, isOfNow, isTyping, pause, read, say } from './basics.js';
import { join, watch } from './list.js';
import { tell } from './rows.js';

// News: a page of now that nobody types into shows what others recorded at once; where somebody reads further
// down or types, a button offers it, and nothing moves. A page that is a form stays as it is: who changes what
// somebody changed meanwhile is told so when it is sent.
const isForm = () => all('main form[method=post]').some((form) => form.id !== 'several'
  && !form.closest('details, .finding') && $('input:not([type=hidden]), select', form));
const isReading = () => scrollY > 200 || isTyping(document.activeElement)
  || $('.row.editing, .row > :checked, dialog, details.filter[open], details.add[open]');
export async function refresh() {
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

// The server is away: a bar says so, what was typed stays, and the page goes on when it is back.
export function away(isAway) {
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
