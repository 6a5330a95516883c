package io.github.checktoken.introspection.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.CacheControl;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.OAuthErrorException;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.ErrorResponseException;
import org.keycloak.services.resources.admin.fgap.AdminPermissionEvaluator;

import io.github.checktoken.introspection.dataprovider.AnswerCounts;
import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.endpoint.ExampleAnswer;
import io.github.checktoken.introspection.outage.DatabaseOutage;

/** The routes under {@code /admin/realms/{realm}/checktoken/}. */
public final class DataProvidersResource {

    /**
     * A client role of {@code realm-management} for those who may see this view, and nothing else of Keycloak's. {@code
     * view-clients} would also show the clients' secrets.
     */
    private static final String ROLE = "view-data-providers";

    private static final List<String> LANGUAGES = List.of("en", "fr");

    private static final String CLIENT_ID = "clientId";
    private static final String LAST_ANSWER = "lastAnswer";

    private final KeycloakSession session;
    private final RealmModel realm;
    private final AdminPermissionEvaluator auth;

    DataProvidersResource(KeycloakSession session, RealmModel realm, AdminPermissionEvaluator auth) {
        this.session = session;
        this.realm = realm;
        this.auth = auth;
    }

    /**
     * Lists the data providers with their settings and problems. Loads the keys that are not known yet, as a call does,
     * as many at the same time as {@code JwksLoader} allows. Keys that take longer than a second are shown as still
     * loading.
     *
     * @param first how many data providers to skip
     * @param max how many data providers to list at most; never more than {@value DataProviderList#MAX_PAGE}
     * @param problem one of {@link ProblemName}; null for all data providers
     * @param sort {@code clientId}, in the database's order, or {@code lastAnswer}: those first that this node has not
     *     answered for the longest time
     * @param language of the texts; null for the administrator's
     */
    @GET
    @Path("data-providers")
    @Produces(MediaType.APPLICATION_JSON)
    public Response dataProviders(
            @QueryParam("first") @DefaultValue("0") int first,
            @QueryParam("max") @DefaultValue("100") int max,
            @QueryParam("problem") String problem,
            @QueryParam("sort") @DefaultValue(CLIENT_ID) String sort,
            @QueryParam("language") String language) {
        return answer(language, () -> list(first, max, problem, sort, language));
    }

    /** Shows one data provider, with what it may learn about people. */
    @GET
    @Path("data-provider")
    @Produces(MediaType.APPLICATION_JSON)
    public Response dataProvider(@QueryParam("clientId") String clientId, @QueryParam("language") String language) {
        return answer(language, () -> detail(clientId, language));
    }

    /** Lists which service providers may ask for the scopes of which data providers. */
    @GET
    @Path("federation")
    @Produces(MediaType.APPLICATION_JSON)
    public Response federation(@QueryParam("language") @DefaultValue("en") String language) {
        return answer(language, () -> Response.ok(ScopeAssignment.of(session, realm, language)));
    }

    /** Shows whether the logins of the realm are guarded, and why. */
    @GET
    @Path("guard")
    @Produces(MediaType.APPLICATION_JSON)
    public Response guard() {
        return answer(null, () -> Response.ok(GuardStatus.of(session, realm)));
    }

    private Response answer(String language, Supplier<Response.ResponseBuilder> work) {
        return DatabaseOutage.guard(
                session,
                () -> {
                    if (!auth.hasOneAdminRole(ROLE)) {
                        auth.clients().requireView();
                    }
                    require(language == null || LANGUAGES.contains(language), "language");
                    CacheControl cacheControl = new CacheControl();
                    cacheControl.setNoStore(true);
                    return work.get().cacheControl(cacheControl).build();
                },
                Function.identity());
    }

    private Response.ResponseBuilder list(int first, int max, String problem, String sort, String language) {
        require(problem == null || ProblemName.isKnown(problem), "problem");
        require(List.of(CLIENT_ID, LAST_ANSWER).contains(sort), "sort");
        List<String> ids = DataProviderIds.of(session, realm);
        DataProviderList list = new DataProviderList(
                LAST_ANSWER.equals(sort) ? AnswerCounts.of(session).longestSilentFirst(ids) : ids,
                page -> examine(page, language));
        DataProviderList.Page page =
                problem == null ? list.page(first, max) : list.page(first, max, status -> status.has(problem));
        return Response.ok(page.statuses())
                .header("X-Total-Count", page.total())
                .header("X-Unexamined-Count", page.unexamined());
    }

    private Response.ResponseBuilder detail(String clientId, String language) {
        DataProvider dataProvider = Optional.ofNullable(clientId)
                .map(realm::getClientByClientId)
                .flatMap(DataProvider::withMapper)
                .orElseThrow(NotFoundException::new);
        DataProviderStatus status =
                examine(List.of(dataProvider.client().getId()), language).get(0);
        return Response.ok(Map.of(
                "status", status,
                "claims", dataProvider.claims(session),
                "claimsByScope", dataProvider.claimsByScope(session),
                "example", ExampleAnswer.of(session, dataProvider)));
    }

    private static void require(boolean condition, String parameter) {
        if (!condition) {
            throw new ErrorResponseException(
                    OAuthErrorException.INVALID_REQUEST,
                    "The parameter " + parameter + " has an unknown value",
                    Response.Status.BAD_REQUEST);
        }
    }

    private List<DataProviderStatus> examine(List<String> ids, String language) {
        String locale = language == null ? auth.adminAuth().getToken().getLocale() : language;
        return new DataProviderChecks(session, realm, locale).statuses(ids);
    }
}
