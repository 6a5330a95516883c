<#ftl output_format="plainText">
<#global msg=ownMsg>
${msg("noticeIntro", dataProvider, msg("realmDisplayName", realmName))}

${msg(notice, detail)}

${msg(notice + "Advice")}
