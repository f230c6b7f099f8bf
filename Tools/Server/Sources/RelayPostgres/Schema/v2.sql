-- Moving a log to another store, or from one: how it stands with that. Where it is not open, nothing that devices write is
-- taken: whatever function would write it meets one of the triggers, and whoever moves it says so for their transaction.
alter table ledger
  add state text not null default 'open' check (state in ('open', 'frozen', 'arriving', 'complete', 'moved')),
  -- How many moves had begun with this one, and what the store that it goes to calls it.
  add move int8 not null default 0,
  add ticket int8 not null default 0,
  -- Where devices find a log that has moved.
  add address text not null default '';

create function refuse_unless_open(_state text, _address text) returns void language plpgsql as $$
begin
  if _state <> 'open' and current_setting('daybook.moving', true) is distinct from 'on' then
    raise exception '%', _state using hint = reign(), errcode = 'DB018', detail = _address;
  end if;
end $$;

create function ledger_is_open() returns trigger language plpgsql as $$
begin
  perform refuse_unless_open(old.state, old.address);
  return new;
end $$;
create trigger ledger_is_open before update on ledger
  for each row when (old.state <> 'open') execute function ledger_is_open();

-- What does not change the ledger's row holds it, so that it is not frozen before what was let through is there.
create function ledger_of_row_is_open() returns trigger language plpgsql set lock_timeout = '5s' as $$
declare
  l record;
begin
  select state, address into l from ledger where id = new.ledger for share;
  if found then perform refuse_unless_open(l.state, l.address); end if;
  return new;
end $$;
create trigger ledger_is_open before insert or update on device
  for each row execute function ledger_of_row_is_open();
create trigger ledger_is_open before insert or update on invitation
  for each row execute function ledger_of_row_is_open();
-- Pushes write here, too, and hold the ledger's row already.
create trigger ledger_is_open before insert on replica
  for each row when (new.token_hash is not null) execute function ledger_of_row_is_open();
create trigger ledger_is_still_open before update on replica
  for each row when (new.token_hash is distinct from old.token_hash) execute function ledger_of_row_is_open();

-- As in version 1, but that a log which is not open is refused before anything is looked up in it: what was there may be gone, or
-- not have come yet, and a gap or a missing base would be told.
create or replace function push(
  _ledger uuid, _replica int8, _numbers int8[], _bases int8[], _floors int8[], _digests bytea[], _bodies bytea[], _now int8,
  _is_floor int8,
  out positions int8[], out duplicates int8, out head int8, out link bytea, out received int8
) language plpgsql set lock_timeout = '5s' as $$
declare
  l ledger%rowtype;
  last_ int8;
  first_ int8;
  known bytea;
  place int8;
begin
  select * into l from ledger where id = _ledger for update;
  if not found then raise exception 'ledger' using hint = reign(), errcode = 'DB001'; end if;
  if l.state <> 'open' then perform refuse_unless_open(l.state, l.address); end if;
  select r.last into last_ from replica r where r.ledger = _ledger and r.replica = _replica;
  last_ := coalesce(last_, 0);
  first_ := last_;
  duplicates := 0;
  positions := '{}';
  l.received := greatest(l.received, _now);
  for i in 1..cardinality(_numbers) loop
    if _numbers[i] <= last_ and _numbers[i] > 0 then
      select e.position, e.body into place, known from entry e
        where e.ledger = _ledger and e.replica = _replica and e.number = _numbers[i];
      if not found then
        raise exception '%', _numbers[i] using hint = reign(), errcode = 'DB006';
      end if;
      if known <> _bodies[i] then raise exception '%', _numbers[i] using hint = reign(), errcode = 'DB004'; end if;
      positions := positions || place;
      duplicates := duplicates + 1;
      continue;
    end if;
    if _numbers[i] <> last_ + 1 then
      raise exception '%', _numbers[i] using hint = reign(), errcode = 'DB003', detail = last_ + 1;
    end if;
    if _bases[i] > l.head or _bases[i] < 0 then
      raise exception '%', _bases[i] using hint = reign(), errcode = 'DB005', detail = l.head;
    end if;
    if _bases[i] < l.floor then
      raise exception '%', _bases[i] using hint = reign(), errcode = 'DB007', detail = l.floor;
    end if;
    last_ := last_ + 1;
    l.head := l.head + 1;
    l.link := sha256(
      l.link || int8send(l.head) || int8send(_replica) || int8send(last_) || int8send(l.received) || _digests[i]);
    l.byte_count := l.byte_count + length(_bodies[i]);
    if _floors[i] is not null then l.floor := greatest(l.floor, _floors[i]); end if;
    insert into entry values (_ledger, l.head, _replica, last_, l.received, _digests[i], l.link, _bodies[i]);
    positions := positions || l.head;
  end loop;
  -- Without its floor a ledger that is full could never let go of what all have seen.
  if l.byte_count > l.quota and _is_floor = 0 then
    raise exception 'quota' using hint = reign(), errcode = 'DB008', detail = l.quota;
  end if;
  if last_ > first_ then
    update ledger u set head = l.head, received = l.received, link = l.link, floor = l.floor, byte_count = l.byte_count
      where u.id = _ledger;
    insert into replica as r (ledger, replica, last) values (_ledger, _replica, last_)
      on conflict (ledger, replica) do update set last = excluded.last;
  else
    select u.received into l.received from ledger u where u.id = _ledger;
  end if;
  head := l.head;
  link := l.link;
  received := l.received;
end $$;

create or replace function put_chunk(_ledger uuid, _digest bytea, _base int8, _body bytea)
returns void language plpgsql set lock_timeout = '5s' as $$
declare
  l ledger%rowtype;
begin
  select * into l from ledger where id = _ledger for update;
  if not found then raise exception 'ledger' using hint = reign(), errcode = 'DB001'; end if;
  if l.state <> 'open' then perform refuse_unless_open(l.state, l.address); end if;
  if _base > l.head then raise exception 'base' using hint = reign(), errcode = 'DB013', detail = l.head; end if;
  if l.manifest is not null and l.snapshot >= _base then return; end if;
  insert into chunk (ledger, digest, base, body) values (_ledger, _digest, _base, _body) on conflict do nothing;
  if not found then return; end if;
  if l.byte_count + length(_body) > l.quota then
    raise exception 'quota' using hint = reign(), errcode = 'DB008', detail = l.quota;
  end if;
  update ledger set byte_count = byte_count + length(_body) where id = _ledger;
end $$;

create or replace function put_manifest(_ledger uuid, _base int8, _body bytea, _chunks bytea[])
returns void language plpgsql set lock_timeout = '5s' as $$
declare
  l ledger%rowtype;
  missing bytea;
  gone int8;
begin
  select * into l from ledger where id = _ledger for update;
  if not found then raise exception 'ledger' using hint = reign(), errcode = 'DB001'; end if;
  if l.state <> 'open' then perform refuse_unless_open(l.state, l.address); end if;
  if _base > l.head then raise exception 'base' using hint = reign(), errcode = 'DB013', detail = l.head; end if;
  if l.manifest is not null and l.snapshot >= _base then return; end if;
  select d into missing from unnest(_chunks) as d
    where not exists (select 1 from chunk c where c.ledger = _ledger and c.digest = d) limit 1;
  if found then raise exception '%', encode(missing, 'hex') using hint = reign(), errcode = 'DB014'; end if;
  with old as (
    delete from chunk c where c.ledger = _ledger and c.digest <> all (_chunks) and c.base <= _base
      returning length(c.body) as bytes)
  select coalesce(sum(bytes), 0) into gone from old;
  update ledger set manifest = _body, snapshot = _base, byte_count = greatest(byte_count - gone, 0) where id = _ledger;
end $$;
