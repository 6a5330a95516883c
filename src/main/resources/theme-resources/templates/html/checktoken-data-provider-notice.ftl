<#global msg=ownMsg>
<#import "template.ftl" as layout>
<@layout.emailLayout>
<p>${msg("noticeIntro", dataProvider, msg("realmDisplayName", realmName))}</p>
<p>${msg(notice, detail)}</p>
<p>${msg(notice + "Advice")}</p>
</@layout.emailLayout>
