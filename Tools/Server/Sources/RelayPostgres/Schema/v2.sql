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
