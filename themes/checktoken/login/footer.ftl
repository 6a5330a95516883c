<#-- The foot of every page. A script moves the help about keys and the name of the service to the top. -->
<#macro content>
    <#local text=(message.summary)!"" page=pageId!"" service=advancedMsg((client.name)!"")>
    <#local own=ownMsg!msg>
    <#local help={"webauthn-authenticate": "keyHelp", "webauthn-register": "keySetUpHelp"}[page]!"">
    <#if help != "">
        <p id="key-help" class="pf-v5-u-pt-sm">${msg(help)}</p>
    <#elseif ["login", "login-username"]?seq_contains(page) && service != "">
        <p id="service" class="${properties.kcLoginMainBody!}">${msg("signInTo", service)}</p>
    <#elseif page == "error" && [msg("secondFactorMissing"), msg("secondFactorMissingPin")]?seq_contains(text)>
        <p id="way-on" class="${properties.kcLoginMainBody!}"><a href="${url.loginUrl?keep_before("/login-actions/")}/account/account-security/signing-in">${msg("signingInOfAccount")}</a></p>
    <#elseif page == "error" && (skipLink?? || !(client.baseUrl)?has_content) && !text?contains("<a ") && text != own("loginReplaced")>
        <p id="way-on" class="${properties.kcLoginMainBody!}">${msg("errorWayOn")}</p>
    </#if>
</#macro>
