<#import "field.ftl" as field>
<#-- field.password of keycloak.v2 with the digit keys on a phone, and with a hint and errors that screen readers read out. -->
<#macro pin name label hint="" autofocus=false>
  <#local error=messagesPerField.get(name)>
  <@field.group name=name label=label error=error>
    <div class="${properties.kcInputGroup}">
      <div class="${properties.kcInputGroupItemClass} ${properties.kcFill}">
        <span class="${properties.kcInputClass} <#if error?has_content>${properties.kcError}</#if>">
          <input id="${name}" name="${name}" type="password" inputmode="numeric" autocomplete="off" dir="ltr"<#if autofocus> autofocus</#if>
                  aria-describedby="<#if hint?has_content>${name}-hint </#if>input-error-container-${name}" aria-invalid="${error?has_content?c}"/>
          <@field.errorIcon error=error/>
        </span>
      </div>
      <div class="${properties.kcInputGroupItemClass}">
        <button class="${properties.kcFormPasswordVisibilityButtonClass}" type="button" aria-label="${msg('pinShow')}"
                aria-controls="${name}" data-password-toggle id="${name}-show-password"
                data-icon-show="${properties.kcFormPasswordVisibilityIconShow}" data-icon-hide="${properties.kcFormPasswordVisibilityIconHide}"
                data-label-show="${msg('pinShow')}" data-label-hide="${msg('pinHide')}">
          <i class="${properties.kcFormPasswordVisibilityIconShow}" aria-hidden="true"></i>
        </button>
      </div>
    </div>
    <#if hint?has_content>
      <div class="${properties.kcFormHelperTextClass}">
        <div id="${name}-hint" class="${properties.kcInputHelperTextClass}">
          <span class="${properties.kcInputHelperTextItemTextClass}">${hint}</span>
        </div>
      </div>
    </#if>
  </@field.group>
</#macro>
