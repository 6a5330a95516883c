package io.github.checktoken.demo.pages.web;

import java.io.IOException;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import freemarker.template.Configuration;
import freemarker.template.TemplateException;
import freemarker.template.TemplateExceptionHandler;
import freemarker.template.TemplateMethodModelEx;
import freemarker.template.TemplateModelException;
import freemarker.template.TemplateScalarModel;

/** The templates in {@code demo/}, in Keycloak's template language. Every value is escaped for HTML. */
public final class Templates {

    private final Configuration configuration = new Configuration(Configuration.VERSION_2_3_34);
    private final String home;

    /** @param home the address of the pages */
    public Templates(String home) {
        this.home = home;
        configuration.setClassForTemplateLoading(Templates.class, "/demo");
        configuration.setDefaultEncoding("UTF-8");
        configuration.setTemplateExceptionHandler(TemplateExceptionHandler.RETHROW_HANDLER);
        configuration.setLogTemplateExceptions(false);
        configuration.setNumberFormat("computer");
    }

    /**
     * @param name the name of the template without its ending; also that of the page
     * @param model what the template shows
     * @return the page, in the visitor's language
     */
    public Response page(int status, String name, Visitor visitor, Map<String, ?> model) throws IOException {
        Texts texts = Texts.in(visitor.language());
        Map<String, Object> all = new HashMap<>(model);
        all.put("page", name);
        all.put("home", home);
        all.put("language", texts.language().getLanguage());
        all.put("formToken", visitor.formToken());
        all.put("msg", (TemplateMethodModelEx) arguments -> text(texts, arguments));
        all.put("date", (TemplateMethodModelEx) arguments -> texts.date(string(arguments.get(0))));
        StringWriter html = new StringWriter();
        try {
            configuration.getTemplate(name + ".ftlh").process(all, html);
        } catch (TemplateException e) {
            throw new IllegalStateException(e);
        }
        return Response.page(status, html.toString());
    }

    private static String text(Texts texts, List<?> arguments) {
        Object[] values = arguments.stream().skip(1).map(Templates::string).toArray();
        return texts.get(string(arguments.get(0)), values);
    }

    private static String string(Object model) {
        try {
            return model instanceof TemplateScalarModel text ? text.getAsString() : String.valueOf(model);
        } catch (TemplateModelException e) {
            throw new IllegalStateException(e);
        }
    }
}
