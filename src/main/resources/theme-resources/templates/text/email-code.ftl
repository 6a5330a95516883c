<#ftl output_format="plainText">
${msg("emailCodeMailIntro", service, realmName)}

${code}

${msg("emailCodeMailLifespan", minutes)}

${msg("emailCodeMailAdvice")}
