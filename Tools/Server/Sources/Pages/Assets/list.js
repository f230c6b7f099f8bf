// Endless scrolling of lists, restoring the scroll position, and search as you type.
import { $, all, read, soon } from './basics.js';
import { tell } from './rows.js';

// Fetches the next page of a list before its end is reached, and appends its rows.
export function join(list, page) {
  // Each page's rows stay together, so that the browser skips the layout of those that are out of sight.
  $('#rows', list).append(...all('#rows > .rows', page));
  const link = $('.pager [rel=next]', list);
  const next = $('.pager [rel=next]', page);
  if (link && next) link.setAttribute('href', next.getAttribute('href')); else link?.remove();
  return next && link;
}
// Shows the list of another page, with the row for adding a transaction as it is or as it is there.
export function showList(page, { keepsEntry = true } = {}) {
  const entry = keepsEntry && $('main .entry');
  const focused = entry?.contains?.(document.activeElement) && document.activeElement;
  if (entry) $('main .entry', page)?.replaceWith(entry);
  $('main').replaceWith($('main', page));
  Object.assign(document.documentElement.dataset, page.documentElement.dataset);
  if (focused) focused.focus();
  $('.live')?.remove();
  watch();
  tell();
}
let coming = null;
// Fetches and appends the next page; returns whether there was one. Concurrent calls share one request.
function more() {
  coming ??= (async () => {
    const main = $('main');
    const link = $('.pager [rel=next]');
    const answer = link && await fetch(link.href, { credentials: 'same-origin' }).catch(() => null);
    const page = answer?.ok && await read(answer);
    // The list may have been replaced while the page was fetched.
    if (!page || main !== $('main')) return false;
    join(document, page);
    return true;
  })().finally(() => { coming = null; });
  return coming;
}
const watcher = new IntersectionObserver(async (entries) => {
  if (!$('.pager [rel=next]') || !entries.some((entry) => entry.isIntersecting)) return;
  watcher.disconnect();
  await more();
  watch();
}, { rootMargin: '1500px' });
export function watch() {
  const link = $('.pager [rel=next]');
  if (link && $('#rows')) watcher.observe(link);
}
watch();

// Restores the scroll position when the user returns to a list.
const place = location.pathname === '/transactions' && history.state;
if (place?.rows > all('.row').length) {
  history.scrollRestoration = 'manual';
  (async () => {
    while (all('.row').length < Math.min(place.rows, 1000) && await more());
    scrollTo(0, place.y);
    // Scrolling while the rows were fetched has overwritten the place.
    keepPlace();
  })();
}
function keepPlace() {
  if (location.pathname === '/transactions') history.replaceState({ rows: all('.row').length, y: scrollY }, '');
}
addEventListener('scroll', () => soon('place', keepPlace));
// The browser saves the state of all fields each time, so this is done only before a link is followed.
addEventListener('click', (event) => { if (event.target.closest?.('a')) keepPlace(); }, true);

// Searches the list on the server while the user types.
$('#find')?.addEventListener('input', ({ target }) => soon('find', async () => {
  if (location.pathname !== '/transactions') return;
  const address = new URL(location);
  address.searchParams.delete('after');
  if (target.value) address.searchParams.set('text', target.value); else address.searchParams.delete('text');
  const answer = await fetch(address, { credentials: 'same-origin' }).catch(() => null);
  if (!answer?.ok || target.value !== (address.searchParams.get('text') ?? '')) return;
  history.replaceState(null, '', address);
  showList(await read(answer));
}));
