<#import "template.ftl" as layout>
<@layout.emailLayout>
<p><#if reset>${msg("emailCodeResetMailIntro", realmName)}<#else>${msg("emailCodeMailIntro", service, realmName)}</#if></p>
<#-- An image to screen readers, which read its digits one by one instead of a number; text to everything else. -->
<p><span role="img" aria-label="${code?split("")?join(" ")?trim}" style="font-family: monospace; font-size: 2em; letter-spacing: 0.2em">${code}</span></p>
<p>${msg("emailCodeMailLifespan", minutes)}</p>
<p>${msg(reset?then("emailCodeResetMailAdvice", "emailCodeMailAdvice"))}</p>
</@layout.emailLayout>
