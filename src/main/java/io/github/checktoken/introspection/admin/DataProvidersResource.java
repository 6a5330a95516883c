package io.github.checktoken.introspection.admin;

import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Stream;

import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.CacheControl;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.models.ClientModel;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.resources.admin.AdminRoot;
import org.keycloak.services.resources.admin.fgap.AdminPermissionEvaluator;

import io.github.checktoken.introspection.dataprovider.DataProvider;
import io.github.checktoken.introspection.keys.EncryptionKeyProvider;
import io.github.checktoken.introspection.outage.DatabaseOutage;

/** The routes under {@code /admin/realms/{realm}/checktoken/}. */
public final class DataProvidersResource {

    /** How long to wait for the keys of all data providers together. */
    private static final Duration KEY_WAIT = Duration.ofSeconds(3);

    /**
     * A client role of {@code realm-management} for those who may see this view, and nothing else of Keycloak's. {@code
     * view-clients} would also show the clients' secrets.
     */
    private static final String ROLE = "view-data-providers";

    /** How many data providers one answer lists. */
    private static final int MAX_PAGE = 200;

    private final KeycloakSession session;
    private final RealmModel realm;
    private final AdminPermissionEvaluator auth;

    DataProvidersResource(KeycloakSession session, RealmModel realm, AdminPermissionEvaluator auth) {
        this.session = session;
        this.realm = realm;
        this.auth = auth;
    }

    /**
     * Lists the data providers with their settings and problems, in the database's order of client_ids. Loads the
     * keys that are not known yet, as a call does, as many at the same time as {@code JwksLoader} allows. Keys that
     * take longer than 3 seconds are shown as still loading.
     *
     * @param first how many data providers to skip
     * @param max how many data providers to list at most; never more than {@value #MAX_PAGE}
     */
    @GET
    @Path("data-providers")
    @Produces(MediaType.APPLICATION_JSON)
    public Response dataProviders(
            @QueryParam("first") @DefaultValue("0") int first, @QueryParam("max") @DefaultValue("100") int max) {
        return DatabaseOutage.guard(session, () -> list(first, max), Function.identity());
    }

    private Response list(int first, int max) {
        if (!auth.hasOneAdminRole(ROLE)) {
            auth.clients().requireView();
        }
        Properties messages = AdminRoot.getMessages(
                session, realm, auth.adminAuth().getToken().getLocale());
        List<DataProvider> page = page(realm.getClientsStream(), first, max);
        EncryptionKeyProvider keys = session.getProvider(EncryptionKeyProvider.class);
        page.stream()
                .filter(dataProvider -> dataProvider.config().isKeyAlgorithmSupported())
                .forEach(dataProvider -> keys.prepare(
                        dataProvider.client(), dataProvider.config().keyAlgorithm()));
        long deadline = System.nanoTime() + KEY_WAIT.toNanos();
        List<DataProviderStatus> statuses = page.stream()
                .map(dataProvider -> new DataProviderInspection(session, messages, dataProvider, deadline).status())
                .toList();
        CacheControl cacheControl = new CacheControl();
        cacheControl.setNoStore(true);
        return Response.ok(statuses).cacheControl(cacheControl).build();
    }

    /** Reads no client after the last one of the page. Keycloak's query gives only ids, sorted by client_id. */
    static List<DataProvider> page(Stream<ClientModel> clients, int first, int max) {
        return clients.flatMap(client -> DataProvider.withMapper(client).stream())
                .skip(Math.max(0, first))
                .limit(Math.min(Math.max(0, max), MAX_PAGE))
                .toList();
    }
}
