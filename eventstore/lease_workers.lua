-- Says that a worker lives, or that it leaves; gives all workers that live.
--
-- KEYS  1 the workers, by the time (ms) until which each counts as living
-- ARGV  1 who asks  2 milliseconds that it counts as living, or 0 when it leaves

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
if ARGV[2] == '0' then
  call('ZREM', KEYS[1], ARGV[1])
else
  call('ZADD', KEYS[1], string.format('%.0f', now + ARGV[2]), ARGV[1])
end
return call('ZRANGE', KEYS[1], 0, -1)
