// Endless scrolling of lists, restoring the scroll position, and search as you type.
import { $, all, read, soon } from './basics.js';

// Fetches the next page of a list before its end is reached, and appends its rows.
export function join(list, page) {
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
const watcher = $('#rows') && new IntersectionObserver(async (entries) => {
  if (!$('.pager [rel=next]') || !entries.some((entry) => entry.isIntersecting)) return;
  watcher.disconnect();
  await more();
  watch();
}, { rootMargin: '1500px' });
export function watch() {
  const link = $('.pager [rel=next]');
  if (watcher && link) watcher.observe(link);
}
watch();

// Restores the scroll position when the user returns to a list.
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

// Searches the list on the server while the user types.
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
