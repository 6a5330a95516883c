<#-- The foot of every page. A script moves the help about keys to the top; their pages need scripts anyway. -->
<#macro content>
    <#local text=(message.summary)!"">
    <#local help={"webauthn-authenticate": "keyHelp", "webauthn-register": "keySetUpHelp"}[pageId!""]!"">
    <#if help != "">
        <p id="key-help" class="pf-v5-u-pt-sm">${msg(help)}</p>
    <#elseif (pageId!"") == "error" && (skipLink?? || !(client.baseUrl)?has_content) && !text?contains("<a ") && text != msg("loginReplaced")>
        <p id="way-on" class="${properties.kcLoginMainBody!}">${msg("errorWayOn")}</p>
    </#if>
</#macro>
