<#global msg=ownMsg>
<#import "template.ftl" as layout>
<#import "checktoken-attempted-username.ftl" as attempted>
<#import "checktoken-pin-field.ftl" as field>
<#import "buttons.ftl" as buttons>
<#assign username=attempted.username in layout>
<@layout.registrationLayout displayMessage=!messagesPerField.existsError('pin'); section>
    <#if section = "header">
        ${msg("pinTitle")}
    <#elseif section = "form">
        <form id="kc-pin-login-form" class="${properties.kcFormClass!}" onsubmit="login.disabled = true; return true;" action="${url.loginAction}" method="post" novalidate="novalidate">
            <@field.pin name="pin" label=msg("pinLabel") autofocus=true />
            <@buttons.loginButton />
        </form>
        <p id="pin-forgotten" class="${properties.kcInputHelperTextItemTextClass!} pf-v5-u-mt-md">${msg("pinForgotten")}</p>
    </#if>
</@layout.registrationLayout>
