// Updates the page when others record commits, and reconnects when the server is back.
import { $, all, isCleanEntry, isOfNow, isTyping, pause, read, say } from './basics.js';
import { join, showList } from './list.js';

// A page of the current state is updated at once when others record commits. If the user is typing or has
// scrolled down, a button offers the update instead, so that nothing moves. Pages with a form are not updated:
// the server reports a conflict when the form is submitted.
const isForm = () => all('main form[method=post]').some((form) => !form.matches('#several, .entry')
  && !form.closest('details, .finding') && $('input:not([type=hidden]), select', form));
const isReading = () => scrollY > 200
  || isTyping(document.activeElement) && !isCleanEntry(document.activeElement)
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
  // Keep a form for a new entity that is open, and the notice about the last action.
  const begun = $('main details.add[open]');
  if (begun) $('main details.add', page)?.replaceWith(begun);
  const told = $('main .notice[role=status]:not(.verifying)');
  if (told && !$('main .notice[role=status]', page)) $('main .heading', page).after(told);
  showList(page);
  scrollTo(x, y);
}

// Runs an action that records something here, whose commit is no news to this page.
export async function during(act) {
  const { dataset } = document.documentElement;
  dataset.sent = '';
  try { await act(); } finally { delete dataset.sent; }
  if (newest > Number(dataset.sequence)) arrived();
}

// Shows or hides a bar that says that the server can't be reached. The user's input stays on the page.
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
  // Check that the server responds, so that the browser doesn't replace the form with an error page.
  event.preventDefault();
  const [form, button] = [event.target, event.submitter];
  if (!await isThere()) { away(true); waitForServer(); return; }
  form.dataset.tried = 'yes';
  // The answer replaces this page, which therefore ignores further updates.
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
let newest = 0;
function news(data) {
  newest = Math.max(newest, JSON.parse(data).sequence);
  if (newest > Number(document.documentElement.dataset.sequence)) arrived();
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
  // One stream serves all tabs: the tab that holds the lock listens and forwards events to the others.
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
      // A refused stream, such as after a purge, is restarted here. The browser reconnects broken ones.
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
