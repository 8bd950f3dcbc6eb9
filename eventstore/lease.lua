-- Takes, renews or gives back the lease on one partition.
--
-- KEYS  1 the lease (whose it is; runs out)  2 its epoch (never runs out)
-- ARGV  1 who asks  2 milliseconds that the lease lasts, or 0 to give it back
-- Gives {epoch, owner} when the asker has it now | {0, owner or ''} when not
--
-- Whoever repeats a call whose answer was lost has the lease already and gets the same epoch. A new epoch is the time, so
-- that one which a failover has lost is not given out again to another.

local call = redis.call
local owner, epoch = call('GET', KEYS[1]), call('GET', KEYS[2])

if owner and owner ~= ARGV[1] then
  return {0, owner}
end

if ARGV[2] == '0' then
  if owner then
    call('DEL', KEYS[1])
  end
  return {0, ''}
end

if not (owner and epoch) then
  local time = call('TIME')
  epoch = math.max((tonumber(epoch) or 0) + 1, time[1] * 1000 + math.floor(time[2] / 1000))
  call('SET', KEYS[2], string.format('%.0f', epoch))
end
call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {tonumber(epoch), ARGV[1]}
