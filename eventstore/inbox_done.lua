-- Takes something that is done out of a partition's inbox.
--
-- KEYS  1 the inbox (a stream)  2 the lease on the partition
-- ARGV  1 who asks  2 the place in the inbox
-- Gives 1 when it is out | 0 when the partition is another's, who does it (again) and takes it out himself

if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('XDEL', KEYS[1], ARGV[2])
return 1
