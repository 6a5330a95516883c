<#import "template.ftl" as layout>
<#import "attempted-username.ftl" as attempted>
<#import "field.ftl" as field>
<#import "buttons.ftl" as buttons>
<#assign username=attempted.username in layout>
<@layout.registrationLayout displayMessage=!messagesPerField.existsError("code"); section>
    <#if section == "header">
        ${msg("emailCodeTitle")}
    <#elseif section == "form">
        <form id="kc-email-code-form" class="${properties.kcFormClass!}"<#if emailCodeOpen> onsubmit="login.disabled = true; return true;"</#if> action="${url.loginAction}" method="post" novalidate>
            <#if emailCodeOpen>
                <p id="email-code-sent" class="pf-v5-u-pt-sm">${msg("emailCodeSent", emailCodeAddress)}</p>
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
                    <@buttons.button id="kc-login" name="login" label="doLogIn"/>
                </@buttons.actionGroup>
            </#if>
            <p id="email-code-wait" class="${properties.kcInputHelperTextItemTextClass!}">
                <#if (emailCodeWait > 0)>${msg("emailCodeWait", emailCodeWait)}<#elseif emailCodeOpen>${msg("emailCodeHelp")}</#if>
            </p>
            <@buttons.actionGroup>
                <@buttons.button id="kc-email-code-resend" name="resend" label="emailCodeResend" type=emailCodeOpen?then("secondary", "primary") aria\-describedby="email-code-wait"/>
            </@buttons.actionGroup>
        </form>
        <#if (emailCodeWait > 0)>
            <#-- Without it the sentence stays as it was when the page was made. -->
            <script type="module">
                <#outputformat "JavaScript">
                const wait = document.getElementById("email-code-wait");
                const over = Date.now() + ${emailCodeWait?c} * 1000;
                const seconds = () => Math.ceil((over - Date.now()) / 1000);
                const timer = setInterval(() => {
                    if (seconds() > 1) {
                        wait.textContent = wait.textContent.replace(/\d+/, seconds());
                    } else if (seconds() === 1) {
                        wait.textContent = ${msg("emailCodeWait", 1)?c};
                    } else {
                        wait.textContent = ${msg("emailCodeWaitOver")?c};
                        clearInterval(timer);
                    }
                }, 1000);
                </#outputformat>
            </script>
        </#if>
    </#if>
</@layout.registrationLayout>
