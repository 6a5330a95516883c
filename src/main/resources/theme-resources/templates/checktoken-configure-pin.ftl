<#global msg=ownMsg>
<#import "template.ftl" as layout>
<#import "checktoken-attempted-username.ftl" as attempted>
<#import "checktoken-pin-field.ftl" as field>
<#import "password-commons.ftl" as passwordCommons>
<#import "buttons.ftl" as buttons>
<#assign username=attempted.username in layout>
<#-- The focus is on the first field with an error, or else on the first field. -->
<#assign fields=pinChange?then(["pin-current", "pin-new", "pin-confirm"], ["pin-new", "pin-confirm"])>
<#assign focus=fields?filter(name -> messagesPerField.existsError(name))[0]!fields[0]>
<@layout.registrationLayout displayMessage=!messagesPerField.existsError('pin-current','pin-new','pin-confirm'); section>
    <#if section = "header">
        ${msg(pinChange?then("pinChangeTitle", "pinChooseTitle"))}
    <#elseif section = "form">
        <#if !pinChange>
            <p id="pin-purpose" class="pf-v5-u-pt-sm pf-v5-u-mb-md">${msg("pinPurpose")}</p>
        </#if>
        <form id="kc-pin-form" class="${properties.kcFormClass!}" onsubmit="login.disabled = true; return true;" action="${url.loginAction}" method="post" novalidate="novalidate">
            <#if pinChange>
                <@field.pin name="pin-current" label=msg("pinCurrentLabel") autofocus=(focus == "pin-current") />
            </#if>
            <@field.pin name="pin-new" label=msg("pinNewLabel") hint=msg("pinHint", pinLength, pinMaxLength) autofocus=(focus == "pin-new") />
            <@field.pin name="pin-confirm" label=msg("pinConfirmLabel") autofocus=(focus == "pin-confirm") />

            <div class="${properties.kcFormGroupClass!}">
                <@passwordCommons.logoutOtherSessions/>
            </div>

            <@buttons.actionGroup horizontal=true>
                <@buttons.button id="kc-submit" name="login" label="pinSave"/>
                <#if isAppInitiatedAction??>
                    <@buttons.button id="kc-cancel" label="doCancel" name="cancel-aia" type="secondary"/>
                </#if>
            </@buttons.actionGroup>
        </form>
    </#if>
</@layout.registrationLayout>
