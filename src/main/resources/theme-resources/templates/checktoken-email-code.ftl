<#global msg=ownMsg>
<#import "template.ftl" as layout>
<#import "checktoken-attempted-username.ftl" as attempted>
<#import "field.ftl" as field>
<#import "buttons.ftl" as buttons>
<#assign username=attempted.username in layout>
<#-- Without a verified address there is no code and no button. -->
<#assign open=emailCodeOpen!false neutral=emailCodeNeutral!false wait=emailCodeWait!0 spent=emailCodeSpent!false>
<#-- The message above the form then says why no new code was sent, and what to do. -->
<#assign refused=message?has_content && message.type == "error" && !messagesPerField.existsError("code")>
<#if neutral>
    <#-- Keycloak shows who is signing in only if it knows the person. This page shows what was entered, whether or not there is such a person. -->
    <#function hasUsername><#return auth.attemptedUsername?has_content></#function>
    <#function never><#return false></#function>
    <#assign auth={
            "attemptedUsername": auth.attemptedUsername!,
            "showUsername": hasUsername,
            "showResetCredentials": never,
            "showTryAnotherWayLink": auth.showTryAnotherWayLink} in layout>
</#if>
<@layout.registrationLayout displayMessage=!messagesPerField.existsError("code"); section>
    <#if section == "header">
        ${msg("emailCodeTitle")}
    <#elseif section == "form">
        <form id="kc-email-code-form" class="${properties.kcFormClass!}"<#if open> onsubmit="login.disabled = true; return true;"</#if> action="${url.loginAction}" method="post" novalidate>
            <#if open>
                <p id="email-code-sent" class="pf-v5-u-pt-sm"><#if neutral>${msg("emailCodeSentNeutral")}<#else>${msg("emailCodeSent", emailCodeAddress)}</#if></p>
                <#assign error = messagesPerField.get("code")>
                <@field.group name="code" label=msg("emailCodeLabel") error=error>
                    <span class="${properties.kcInputClass!}<#if error?has_content> ${properties.kcError!}</#if>">
                        <input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code"
                               autofocus autocapitalize="off" spellcheck="false" aria-required="true"
                               aria-describedby="email-code-sent<#if error?has_content> input-error-code</#if>"
                               <#if error?has_content>aria-invalid="true"</#if>>
                        <@field.errorIcon error=error/>
                    </span>
                </@field.group>
                <@buttons.actionGroup>
                    <@buttons.button id="kc-login" name="login" label=neutral?then("doContinue", "doLogIn")/>
                </@buttons.actionGroup>
            </#if>
            <#if emailCodeButton?has_content>
                <p id="email-code-wait" class="${properties.kcInputHelperTextItemTextClass!}">
                    <#if spent>${msg("emailCodeSpent")}<#elseif (wait > 0)>${msg("emailCodeWait", wait)}<#elseif open && !refused>${msg("emailCodeHelp")}</#if>
                </p>
                <@buttons.actionGroup>
                    <#assign type=open?then("secondary", "primary")>
                    <#if spent>
                        <@buttons.button id="kc-email-code-resend" name="resend" label=emailCodeButton type=type aria\-describedby="email-code-wait" disabled="disabled"/>
                    <#else>
                        <@buttons.button id="kc-email-code-resend" name="resend" label=emailCodeButton type=type aria\-describedby="email-code-wait"/>
                    </#if>
                </@buttons.actionGroup>
            </#if>
        </form>
        <#if (wait > 0) && !spent>
            <#-- Counts the seconds down; until then the button does nothing. Without JavaScript the sentence stays as the server sent it, and the button works at once. -->
            <script type="module">
                <#outputformat "JavaScript">
                const wait = document.getElementById("email-code-wait");
                const button = document.getElementById("kc-email-code-resend");
                button.disabled = true;
                const over = Date.now() + ${wait?c} * 1000;
                const seconds = () => Math.ceil((over - Date.now()) / 1000);
                const timer = setInterval(() => {
                    if (seconds() > 1) {
                        wait.textContent = wait.textContent.replace(/\d+/, seconds());
                    } else if (seconds() === 1) {
                        wait.textContent = ${msg("emailCodeWait", 1)?c};
                    } else {
                        wait.textContent = ${msg("emailCodeWaitOver")?c};
                        button.disabled = false;
                        clearInterval(timer);
                    }
                }, 1000);
                </#outputformat>
            </script>
        </#if>
    </#if>
</@layout.registrationLayout>
