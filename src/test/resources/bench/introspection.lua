-- Posts forms, chosen at random. Arguments: a file with one form on each line, the header Accept or nothing, the text that
-- every answer must contain, the least and the greatest length of an answer, and, if the rate shall be constant, the calls
-- per second of a thread.
local threads = {}
local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanos; } moment; int clock_gettime(int clock, moment *now);")

-- Milliseconds of CLOCK_MONOTONIC.
local now = ffi.new("moment")
local function millis()
  ffi.C.clock_gettime(1, now)
  return tonumber(now.seconds) * 1e3 + tonumber(now.nanos) / 1e6
end

-- wrk asks a script that has a function delay() how many milliseconds to wait before the next call. Each call has its
-- time, so calls that a pause of the server has held up are made up for. p99 does not include how late they are.
local function pace(rate)
  local due = millis()
  function delay()
    due = due + 1e3 / rate
    return math.max(0, due - millis())
  end
end

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  wrong = 0
  sign, shortest, longest = args[3], tonumber(args[4]), tonumber(args[5])
  local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
  if args[2] ~= "" then
    headers["Accept"] = args[2]
  end
  requests = {}
  for form in io.lines(args[1]) do
    table.insert(requests, wrk.format("POST", nil, headers, form))
  end
  math.randomseed(1)
  if args[6] then
    pace(tonumber(args[6]))
  end
end

function request()
  return requests[math.random(#requests)]
end

function response(status, headers, body)
  if status ~= 200 or #body < shortest or #body > longest or not string.find(body, sign, 1, true) then
    wrong = wrong + 1
    if wrong == 1 then
      print("status " .. status .. ", " .. #body .. " bytes")
    end
  end
end

function done(summary, latency, requests)
  local wrong = 0
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("wrong")
  end
  local errors = summary.errors
  print(string.format(
    'RESULT {"answers":%d,"seconds":%.6f,"p50":%d,"p99":%d,"wrong":%d,"failed":%d}',
    summary.requests, summary.duration / 1e6, latency:percentile(50), latency:percentile(99), wrong,
    errors.connect + errors.read + errors.write + errors.timeout))
end
