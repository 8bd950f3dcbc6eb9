-- Puts something into a partition's inbox, unless something of the same mark was put in lately.
--
-- KEYS  1 the inbox (a stream)  2 the marks of what was put in, by time (ms)
-- ARGV  1 the mark, or ''  2 what is put in  3 milliseconds that a mark is kept
-- Gives 1 when it is in now | 0 when it was put in before

local call = redis.call

if ARGV[1] ~= '' then
  local time = call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now - ARGV[3]))
  if call('ZADD', KEYS[2], 'NX', string.format('%.0f', now), ARGV[1]) == 0 then
    return 0
  end
end
call('XADD', KEYS[1], '*', 'm', ARGV[1], 'b', ARGV[2])
return 1
