<#ftl output_format="plainText">
${msg("noticeIntro", dataProvider, msg("realmDisplayName", realmName))}

${msg(notice, detail)}

${msg(notice + "Advice")}
