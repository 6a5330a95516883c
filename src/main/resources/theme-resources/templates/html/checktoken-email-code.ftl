<#global msg=ownMsg>
<#import "template.ftl" as layout>
<@layout.emailLayout>
<p><#if reset>${msg("emailCodeResetMailIntro", realmName)}<#elseif service == "">${msg("emailCodeMailIntroPlain", realmName)}<#else>${msg("emailCodeMailIntro", service, realmName)}</#if></p>
<#-- The role of an image makes screen readers read the digits one by one and not as one number. Everything else shows text. -->
<p><span role="img" aria-label="${code?split("")?join(" ")?trim}" style="font-family: monospace; font-size: 2em; letter-spacing: 0.2em">${code}</span></p>
<p>${msg("emailCodeMailLifespan", minutes)}</p>
<p>${msg(reset?then("emailCodeResetMailAdvice", "emailCodeMailAdvice"))}</p>
</@layout.emailLayout>
