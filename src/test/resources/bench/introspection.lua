-- Posts forms, chosen at random. Arguments: a file with one form on each line, the text that every answer must contain,
-- and the least and the greatest length of an answer.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  wrong = 0
  sign, shortest, longest = args[2], tonumber(args[3]), tonumber(args[4])
  local headers = { ["Content-Type"] = "application/x-www-form-urlencoded" }
  requests = {}
  for form in io.lines(args[1]) do
    table.insert(requests, wrk.format("POST", nil, headers, form))
  end
  math.randomseed(1)
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
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
