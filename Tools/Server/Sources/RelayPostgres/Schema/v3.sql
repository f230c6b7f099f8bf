-- Whether a device is let in, and has pushed as the replica before. Without a token it was looked at already.
create function may_push(_ledger uuid, _replica int8, _token bytea) returns boolean language plpgsql stable as $$
begin
  return octet_length(_token) = 0 or exists (
    select 1 from device d join replica r on r.ledger = d.ledger and r.token_hash = d.token_hash
    where d.token_hash = _token and d.ledger = _ledger and not d.is_revoked and r.replica = _replica);
end $$;

-- Several pushes in one transaction, which waits for the disk and for standbys once: each is placed whole or not at all.
-- Gives a row for each that was placed, or was there already, with its number among them. Any other is to be pushed alone:
-- who refuses it, and why, is told there. None waits for a ledger that others hold. Where somebody holds more, such as a table, what
-- is left after a second is to be pushed alone, too.
-- Of push i the next _counts[i] entries are; a token that is empty asks for no device.
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
      -- This server leads no longer: whoever holds the connection has to hear of it.
      when read_only_sql_transaction then raise;
      when others then null;
    end;
    first_ := last_ + 1;
  end loop;
end $$;
