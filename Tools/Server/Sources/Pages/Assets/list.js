// A list goes on as one scrolls, is found again, and is searched as one types.
import { $, all, read, soon } from './basics.js';

// The next page of a list is fetched before its end is reached, and put where the list goes on.
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
export function watch() {
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
