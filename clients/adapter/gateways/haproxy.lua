local headers = {
    ["content-type"] = { "application/x-www-form-urlencoded" },
    -- The base64 of gateway:gateway-secret-for-tests
    authorization = { "Basic Z2F0ZXdheTpnYXRld2F5LXNlY3JldC1mb3ItdGVzdHM=" },
}

local function encoded(byte)
    return string.format("%%%02X", string.byte(byte))
end

-- Sets txn.checked to 200, to 401 if there is no bearer token, or to 503, and txn.answer to what the adapter says.
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
    local body = answer.body or ""
    -- A token that is bound to a key is no bearer token. In a text, the quotation mark would have a backslash before it.
    local bound = body:find('"cnf":', 1, true)
    txn:set_var("txn.checked", answer.status ~= 200 and "503" or bound and "401" or "200")
    txn:set_var("txn.answer", body)
end)
