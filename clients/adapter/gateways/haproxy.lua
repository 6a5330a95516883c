local headers = {
    ["content-type"] = { "application/x-www-form-urlencoded" },
    -- The base64 of gateway:gateway-secret-for-tests
    authorization = { "Basic Z2F0ZXdheTpnYXRld2F5LXNlY3JldC1mb3ItdGVzdHM=" },
}

local function encoded(byte)
    return string.format("%%%02X", string.byte(byte))
end

-- Sets txn.checked to 200, to 401 if there is no token, or to 503, and txn.answer to what the adapter says.
core.register_action("checktoken", { "http-req" }, function(txn)
    local token = (txn.sf:req_hdr("authorization") or ""):match("^[Bb]earer +([%w._~+/=-]+)$")
    if not token then
        return txn:set_var("txn.checked", "401")
    end
    local answer = core.httpclient():post({
        url = "http://127.0.0.1:8095/introspect",
        headers = headers,
        body = "token=" .. token:gsub("[+/=]", encoded),
    })
    txn:set_var("txn.checked", answer.status == 200 and "200" or "503")
    txn:set_var("txn.answer", answer.body or "")
end)
