<#ftl output_format="plainText">
<#global msg=ownMsg>
<#if reset>${msg("emailCodeResetMailIntro", realmName)}<#elseif service == "">${msg("emailCodeMailIntroPlain", realmName)}<#else>${msg("emailCodeMailIntro", service, realmName)}</#if>

${code}

${msg("emailCodeMailLifespan", minutes)}

${msg(reset?then("emailCodeResetMailAdvice", "emailCodeMailAdvice"))}
