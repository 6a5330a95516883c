<#ftl output_format="plainText">
${msg("emailCodeMailIntro", service, realmLabel)}

${code}

${msg("emailCodeMailLifespan", minutes)}

${msg("emailCodeMailAdvice")}
