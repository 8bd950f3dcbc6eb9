-- Appends one commit to a table's stream, its pointer to the partition's feed and its command id to the table's ids of today: all
-- or nothing.
--
-- KEYS  1 the table's stream  2 the feed  3 the set of tables  4 the epoch of the partition's lease  5 the table's
--       command ids of today  6.. of the other days that are looked in
-- ARGV  1 table  2 version  3 previous hash  4 hash  5 events  6 time  7 actor  8 command  9 seconds an id's day is kept
--       10 the most entries a conflict brings  11 the epoch of the lease that the caller holds, or '' for none
--       12 what the command is remembered by (command and this: see ids.py)
-- Gives 1 (appended) | {2, version, hash of that commit or ''} (the command is known)
--       | {3, head's version, entries from the expected one on} (conflict) | {4, what was sealed} (the command was refused)
--       | {5, epoch} (fenced: the lease was taken by another)
--
-- A script's effects stay when it fails half way, so everything that can fail (a key of a wrong type among them) is read before
-- the first write; a server that cannot write refuses that first one.

local call = redis.call
local stream, command = KEYS[1], ARGV[12]

if ARGV[11] ~= '' then
  local epoch = call('GET', KEYS[4])
  if epoch ~= ARGV[11] then
    return {5, tonumber(epoch or 0)}
  end
end

for day = 5, #KEYS do
  local version = call('HGET', KEYS[day], command)
  if version and string.sub(version, 1, 1) == 'r' then
    return {4, string.sub(version, 2)}
  end
  if version then
    local commit = call('XRANGE', stream, version .. '-0', version .. '-0')[1]
    return {2, tonumber(version), commit and commit[2][2] or ''}
  end
end

local expected = tonumber(ARGV[2]) - 1
local head = call('XREVRANGE', stream, '+', '-', 'COUNT', 1)[1]
local version, hash = 0, string.rep('\0', 32)
if head then
  version, hash = tonumber(string.match(head[1], '^%d+')), head[2][2]
end

if version ~= expected or hash ~= ARGV[3] then
  if version < expected or expected < 0 then
    return {3, version, {}}
  end
  return {3, version, call('XRANGE', stream, string.format('%d-0', expected), '+', 'COUNT', ARGV[10])}
end

call('XLEN', KEYS[2])
call('SCARD', KEYS[3])

call('XADD', stream, ARGV[2] .. '-0', 'h', ARGV[4], 'e', ARGV[5], 't', ARGV[6], 'a', ARGV[7], 'c', ARGV[8])
call('XADD', KEYS[2], '*', 't', ARGV[1], 'v', ARGV[2])
call('HSET', KEYS[5], command, ARGV[2])
if call('HLEN', KEYS[5]) == 1 then
  call('EXPIRE', KEYS[5], ARGV[9])
end
if expected == 0 then
  call('SADD', KEYS[3], ARGV[1])
end
return 1
