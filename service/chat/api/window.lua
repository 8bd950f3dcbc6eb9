-- Counts what was done within a moving window.
--
-- KEYS  1 the times (ms) of what was done, the latest first
-- ARGV  1 how many there may be  2 the window's milliseconds  3 1 to add one if there is room, 0 to look
-- Gives {1 when there is room (or one was added), how many more there may be, ms until the oldest leaves the window}

local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local most, window = tonumber(ARGV[1]), tonumber(ARGV[2])

local count, oldest = 0, now
for _, text in ipairs(call('LRANGE', KEYS[1], 0, most - 1)) do
  local at = tonumber(text)
  if at > now - window and at <= now then
    count, oldest = count + 1, math.min(oldest, at)
  end
end

local room = count < most and 1 or 0
if ARGV[3] == '1' and room == 1 then
  call('LPUSH', KEYS[1], string.format('%.0f', now))
  call('LTRIM', KEYS[1], 0, most - 1)
  call('PEXPIRE', KEYS[1], window)
  count = count + 1
end
return {room, most - count, oldest + window - now}
