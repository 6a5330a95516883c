-- Signs people in, one login after the other on each thread's connection. Arguments: a file with the cookie of one browser
-- on each line, the number of threads, client_id, client_secret, password, redirect_uri, and the authorization request's
-- query without a nonce; and the logins per second of a thread.
local threads = {}
local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanos; } moment; int clock_gettime(int clock, moment *now);")

-- Milliseconds of CLOCK_MONOTONIC.
local now = ffi.new("moment")
local function millis()
  ffi.C.clock_gettime(1, now)
  return tonumber(now.seconds) * 1e3 + tonumber(now.nanos) / 1e6
end

-- wrk asks delay() how many milliseconds to wait before the next request. Each login has its time, so logins that a slow
-- one has held up are made up for, and their time counts from when they were due.
local function pace(rate, threads)
  local due = millis() + 1e3 / rate * number / threads
  function delay()
    if step ~= "page" then
      return 0
    end
    begun = due
    due = due + 1e3 / rate
    return math.max(0, begun - millis())
  end
end

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

function init(args)
  wrong, logins, step, browser = 0, 0, "page", 0
  client_id, client_secret, password, redirect_uri, query = args[3], args[4], args[5], args[6], args[7]
  realm = wrk.path
  times = {}
  pace(tonumber(args[8]), tonumber(args[2]))
  cookies = {}
  local line = 0
  for cookie in io.lines(args[1]) do
    if line % tonumber(args[2]) == number then
      table.insert(cookies, cookie)
    end
    line = line + 1
  end
end

local function encode(value)
  return (value:gsub("[^%w_.~-]", function(character) return string.format("%%%02X", character:byte()) end))
end

local function post(path, form, cookie)
  local headers = { ["Content-Type"] = "application/x-www-form-urlencoded", ["Cookie"] = cookie }
  return wrk.format("POST", path, headers, form)
end

function request()
  if step == "page" then
    if browser == #cookies then
      fail("no browser is left", "")
      wrk.thread:stop()
    else
      browser = browser + 1
    end
    local path = realm .. "/protocol/openid-connect/auth?" .. query .. "&nonce=" .. number .. "-" .. browser
    return wrk.format("GET", path, { ["Cookie"] = cookies[browser] })
  elseif step == "password" then
    local person = "person-" .. (number * 7 + browser) % 100
    return post(action, "username=" .. person .. "&password=" .. encode(password) .. "&credentialId=", cookies[browser])
  end
  return post(realm .. "/protocol/openid-connect/token", "grant_type=authorization_code&code=" .. code
    .. "&client_id=" .. client_id .. "&client_secret=" .. encode(client_secret)
    .. "&redirect_uri=" .. encode(redirect_uri))
end

function fail(what, status)
  wrong = wrong + 1
  if wrong == 1 then
    print(what .. " " .. status)
  end
  step = "page"
end

function response(status, headers, body)
  if step == "page" then
    action = status == 200 and body:match('id="kc%-form%-login".-action="https?://[^/]+([^"]+)"')
    if not action then
      return fail("no login page", status)
    end
    action = action:gsub("&amp;", "&")
    step = "password"
  elseif step == "password" then
    local location = headers["Location"] or headers["location"]
    code = status == 302 and location and location:match("[?&]code=([^&]+)")
    if not code then
      return fail("no code", status)
    end
    step = "code"
  elseif status == 200 and body:find('"id_token"', 1, true) then
    logins = logins + 1
    table.insert(times, millis() - begun)
    step = "page"
  else
    fail("no ID token", status)
  end
end

function done(summary, latency, requests)
  local wrong, logins, times = 0, 0, {}
  for _, thread in ipairs(threads) do
    wrong = wrong + thread:get("wrong")
    logins = logins + thread:get("logins")
    for _, time in ipairs(thread:get("times")) do
      table.insert(times, time)
    end
  end
  table.sort(times)
  -- Microseconds, of whole logins.
  local function percentile(percent)
    return 1e3 * (times[math.ceil(#times * percent / 100)] or 0)
  end
  local errors = summary.errors
  print(string.format(
    'RESULT {"answers":%d,"seconds":%.6f,"p50":%d,"p99":%d,"wrong":%d,"failed":%d}',
    logins, summary.duration / 1e6, percentile(50), percentile(99), wrong,
    errors.connect + errors.read + errors.write + errors.timeout))
end
