-- A ledger's log, its devices and its snapshot. Unsigned numbers are stored as the int8 with the same bits.
-- Times are in microseconds since 1970.
create table ledger (
  id uuid primary key,
  head int8 not null default 0,
  received int8 not null,
  link bytea not null,
  floor int8 not null default 0,
  trimmed int8 not null default 0,
  trimmed_received int8 not null,
  trimmed_link bytea not null,
  -- The base of the newest manifest.
  snapshot int8 not null default 0,
  manifest bytea,
  byte_count int8 not null default 0,
  quota int8 not null,
  incarnation int8 not null
) with (fillfactor = 50);
create index ledger_to_trim on ledger (id) where least(floor, snapshot) > trimmed;

create table device (
  token_hash bytea primary key,
  ledger uuid not null,
  name text not null,
  is_revoked bool not null default false
);
create index device_of_ledger on device (ledger);

-- The replicas that have pushed. A replica belongs to the first token that pushes as it.
create table replica (
  ledger uuid not null,
  replica int8 not null,
  last int8 not null default 0,
  token_hash bytea,
  bound int8,
  primary key (ledger, replica)
) with (fillfactor = 50);

create table entry (
  ledger uuid not null,
  position int8 not null,
  replica int8 not null,
  number int8 not null,
  received int8 not null,
  digest bytea not null,
  link bytea not null,
  body bytea not null,
  primary key (ledger, position)
) partition by hash (ledger);
do $$
begin
  for i in 0..15 loop
    execute format('create table entry%s partition of entry for values with (modulus 16, remainder %s)', i, i);
    -- Sealed bytes can't be compressed.
    execute format('alter table entry%s alter body set storage external', i);
  end loop;
end $$;
create unique index entry_of_replica on entry (ledger, replica, number);

create table chunk (
  ledger uuid not null,
  digest bytea not null,
  base int8 not null,
  body bytea not null,
  primary key (ledger, digest)
);
alter table chunk alter body set storage external;

create table invitation (
  mailbox text primary key,
  ledger uuid not null,
  expires int8 not null,
  body bytea not null
);
create index invitation_of_ledger on invitation (ledger);
create index invitation_by_time on invitation (expires);

-- The time when this server started. It differs after each restart, and on each server.
create function reign() returns int8 language sql stable as $$
  select (extract(epoch from pg_postmaster_start_time()) * 1000000)::int8
$$;

-- Appends a replica's entries, in order: all of them or none. A push locks the ledger's row, so the pushes of a ledger run
-- one after another. Refusals are errors of class DB, with the expected value as the detail and the reign as the hint.
-- lock_timeout bounds the wait for a row that another session holds. Neither it nor statement_timeout bounds how long a
-- commit waits for standbys.
create function push(
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
  -- A full ledger needs its floor to be able to delete entries that all devices have seen.
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

-- Permanently binds a replica to a token.
create function bind(_token bytea, _replica int8, _most int8)
returns void language plpgsql set lock_timeout = '5s' as $$
declare
  d device%rowtype;
  holder bytea;
  count_ int8;
begin
  select * into d from device where token_hash = _token for update;
  if not found or d.is_revoked then raise exception 'token' using hint = reign(), errcode = 'DB009'; end if;
  select r.token_hash into holder from replica r where r.ledger = d.ledger and r.replica = _replica;
  if holder = _token then return; end if;
  if holder is not null then raise exception 'holder' using hint = reign(), errcode = 'DB010'; end if;
  select count(*) into count_ from replica r where r.ledger = d.ledger and r.token_hash = _token;
  if count_ >= _most then raise exception 'most' using hint = reign(), errcode = 'DB011', detail = _most; end if;
  insert into replica as r (ledger, replica, token_hash, bound) values (d.ledger, _replica, _token, count_)
    on conflict (ledger, replica) do update set token_hash = excluded.token_hash, bound = excluded.bound
    where r.token_hash is null;
  if not found then raise exception 'holder' using hint = reign(), errcode = 'DB010'; end if;
end $$;

create function put_device(_token bytea, _ledger uuid, _name text, _most int8)
returns void language plpgsql set lock_timeout = '5s' as $$
begin
  perform 1 from ledger where id = _ledger for update;
  if not found then raise exception 'ledger' using hint = reign(), errcode = 'DB001'; end if;
  if (select count(*) from device where ledger = _ledger) >= _most then
    raise exception 'most' using hint = reign(), errcode = 'DB012', detail = _most;
  end if;
  insert into device (token_hash, ledger, name) values (_token, _ledger, _name)
    on conflict (token_hash) do update set name = excluded.name where device.ledger = excluded.ledger;
end $$;

-- Stores a chunk, unless there is a snapshot with the same or a later base.
create function put_chunk(_ledger uuid, _digest bytea, _base int8, _body bytea)
returns void language plpgsql set lock_timeout = '5s' as $$
declare
  l ledger%rowtype;
begin
  select * into l from ledger where id = _ledger for update;
  if not found then raise exception 'ledger' using hint = reign(), errcode = 'DB001'; end if;
  if _base > l.head then raise exception 'base' using hint = reign(), errcode = 'DB013', detail = l.head; end if;
  if l.manifest is not null and l.snapshot >= _base then return; end if;
  insert into chunk (ledger, digest, base, body) values (_ledger, _digest, _base, _body) on conflict do nothing;
  if not found then return; end if;
  if l.byte_count + length(_body) > l.quota then
    raise exception 'quota' using hint = reign(), errcode = 'DB008', detail = l.quota;
  end if;
  update ledger set byte_count = byte_count + length(_body) where id = _ledger;
end $$;

-- Makes a manifest the newest, unless there is one with the same or a later base. Chunks of older snapshots are deleted.
-- Chunks with a later base stay, because another device is still sending them.
create function put_manifest(_ledger uuid, _base int8, _body bytea, _chunks bytea[])
returns void language plpgsql set lock_timeout = '5s' as $$
declare
  l ledger%rowtype;
  missing bytea;
  gone int8;
begin
  select * into l from ledger where id = _ledger for update;
  if not found then raise exception 'ledger' using hint = reign(), errcode = 'DB001'; end if;
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

-- Stores an invitation, unless too many of the ledger are pending.
create function put_invitation(_mailbox text, _ledger uuid, _now int8, _expires int8, _body bytea, _most int8)
returns void language plpgsql set lock_timeout = '5s' as $$
declare
  count_ int8;
  next_ int8;
begin
  perform 1 from ledger where id = _ledger for update;
  if not found then raise exception 'ledger' using hint = reign(), errcode = 'DB001'; end if;
  delete from invitation where ledger = _ledger and expires <= _now;
  select count(*), min(expires) into count_, next_ from invitation where ledger = _ledger and mailbox <> _mailbox;
  if count_ >= _most then
    raise exception '%', count_ using hint = reign(), errcode = 'DB016', detail = (next_ - _now) / 1000000 + 1;
  end if;
  insert into invitation as i (mailbox, ledger, expires, body) values (_mailbox, _ledger, _expires, _body)
    on conflict (mailbox) do update set expires = excluded.expires, body = excluded.body
    where i.ledger = excluded.ledger;
  if not found then raise exception 'mailbox' using hint = reign(), errcode = 'DB017'; end if;
end $$;

-- Deletes at most _most entries that are below both the floor and the newest snapshot's base; returns their number.
create function trim_log(_ledger uuid, _most int8)
returns int8 language plpgsql set lock_timeout = '5s' as $$
declare
  l ledger%rowtype;
  bound_ int8;
  last_ entry%rowtype;
  bytes int8;
begin
  select * into l from ledger where id = _ledger for update;
  if not found then raise exception 'ledger' using hint = reign(), errcode = 'DB001'; end if;
  bound_ := least(l.floor, l.snapshot, l.trimmed + _most);
  if bound_ <= l.trimmed then return 0; end if;
  select * into last_ from entry e where e.ledger = _ledger and e.position = bound_;
  if not found then raise exception '%', bound_ using hint = reign(), errcode = 'DB015'; end if;
  with old as (
    delete from entry e where e.ledger = _ledger and e.position <= bound_ returning length(e.body) as size)
  select coalesce(sum(size), 0) into bytes from old;
  update ledger set trimmed = bound_, trimmed_received = last_.received, trimmed_link = last_.link,
    byte_count = greatest(byte_count - bytes, 0) where id = _ledger;
  return bound_ - l.trimmed;
end $$;

-- Whether a device is accepted and has pushed as the replica before. An empty token means that it was already checked.
create function may_push(_ledger uuid, _replica int8, _token bytea) returns boolean language plpgsql stable as $$
begin
  return octet_length(_token) = 0 or exists (
    select 1 from device d join replica r on r.ledger = d.ledger and r.token_hash = d.token_hash
    where d.token_hash = _token and d.ledger = _ledger and not d.is_revoked and r.replica = _replica);
end $$;

-- Places several pushes in one transaction, which waits for the disk and for standbys only once. Each push is placed
-- completely or not at all. Returns a row with the push's number for each one that was placed or already was in the log.
-- The caller then pushes the others alone, which reports why one is refused. No push waits for a ledger that another session
-- has locked. If a session holds a larger lock, such as a table's, the pushes left after a second are skipped, too.
-- _counts[i] is the number of entries of push i; they follow those of the push before. An empty token skips the check of the
-- device.
create function push_all(
  _ledgers uuid[], _replicas int8[], _tokens bytea[], _nows int8[], _are_floors int8[], _counts int8[],
  _numbers int8[], _bases int8[], _floors int8[], _digests bytea[], _bodies bytea[]
) returns table (place int8, positions int8[], duplicates int8, head int8, link bytea, received int8) language plpgsql set lock_timeout = '5s' as $$
declare
  first_ int8 := 1;
  last_ int8;
begin
  for i in 1..cardinality(_ledgers) loop
    exit when clock_timestamp() - statement_timestamp() > interval '1 s';
    last_ := first_ + _counts[i] - 1;
    begin
      if may_push(_ledgers[i], _replicas[i], _tokens[i]) then
        perform 1 from ledger l where l.id = _ledgers[i] for update nowait;
        select i, p.* into place, positions, duplicates, head, link, received
          from push(
            _ledgers[i], _replicas[i], _numbers[first_:last_], _bases[first_:last_], _floors[first_:last_],
            _digests[first_:last_], _bodies[first_:last_], _nows[i], _are_floors[i]) p;
        return next;
      end if;
    exception
      -- This server is no longer the leader; the caller must learn that from the error.
      when read_only_sql_transaction then raise;
      when others then null;
    end;
    first_ := last_ + 1;
  end loop;
end $$;
