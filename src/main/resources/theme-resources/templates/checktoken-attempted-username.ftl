<#import "field.ftl" as field>
<#--
  Who is signing in. It takes the place of the macro in Keycloak 26.7.3's template.ftl, whose label names no field, whose
  tooltip widens a page of 320 pixels, and whose button needs JavaScript:
  <#assign username=attempted.username in layout>
-->
<#macro username>
  <#local label>
    <#if !realm.loginWithEmailAllowed>${msg("username")}<#elseif !realm.registrationEmailAsUsername>${msg("usernameOrEmail")}<#else>${msg("email")}</#if>
  </#local>
  <@field.group name="kc-attempted-username" label=label>
    <div class="${properties.kcInputGroup}">
      <div class="${properties.kcInputGroupItemClass} ${properties.kcFill}">
        <span class="${properties.kcInputClass} ${properties.kcFormReadOnlyClass}">
          <input id="kc-attempted-username" value="${auth.attemptedUsername}" readonly>
        </span>
      </div>
      <div class="${properties.kcInputGroupItemClass}">
        <a id="reset-login" class="${properties.kcFormPasswordVisibilityButtonClass}" href="${url.loginRestartFlowUrl}"
                aria-label="${msg('restartLoginTooltip')}" title="${msg('restartLoginTooltip')}">
          <i class="fa-sync-alt fas" aria-hidden="true"></i>
        </a>
      </div>
    </div>
  </@field.group>
</#macro>
