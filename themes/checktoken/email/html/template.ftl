<#-- The frame of every HTML mail. The styles are inline, because mail programs ignore the style sheets of a page. -->
<#macro emailLayout>
<html lang="${locale.language}" dir="${(ltr)?then('ltr','rtl')}">
<body style="margin: 0; padding: 24px 12px; background-color: #eef3f3; color: #17282a; font-family: sans-serif; font-size: 16px; line-height: 1.5;">
<div style="max-width: 544px; margin: 0 auto;">
    <p style="margin: 0 0 16px; font-size: 20px; font-weight: bold;">${realmName}</p>
    <div style="padding: 12px 24px; border-top: 4px solid #0b5d61; background-color: #ffffff;">
        <#nested>
    </div>
</div>
</body>
</html>
</#macro>
