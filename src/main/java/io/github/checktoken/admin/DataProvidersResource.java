package io.github.checktoken.admin;

import java.time.Duration;
import java.util.List;

import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.CacheControl;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.keycloak.models.KeycloakSession;
import org.keycloak.models.RealmModel;
import org.keycloak.services.resources.admin.AdminRoot;
import org.keycloak.services.resources.admin.fgap.AdminPermissionEvaluator;

import io.github.checktoken.dataprovider.DataProvider;
import io.github.checktoken.keys.EncryptionKeyProvider;

/** The routes under {@code /admin/realms/{realm}/checktoken/}. */
public final class DataProvidersResource {

    /** How long to wait for keys, of all data providers together. */
    private static final Duration KEYS = Duration.ofSeconds(3);

    private final KeycloakSession session;
    private final RealmModel realm;
    private final AdminPermissionEvaluator auth;

    DataProvidersResource(KeycloakSession session, RealmModel realm, AdminPermissionEvaluator auth) {
        this.session = session;
        this.realm = realm;
        this.auth = auth;
    }

    /**
     * Each data provider with its settings and what is wrong with them, by client_id. Keys that are not known yet are
     * loaded, all at once, as a call would; those that take longer than 3 seconds are shown as still loading.
     *
     * @param first how many to leave out
     * @param max how many to give
     */
    @GET
    @Path("data-providers")
    @Produces(MediaType.APPLICATION_JSON)
    public Response dataProviders(
            @QueryParam("first") @DefaultValue("0") int first, @QueryParam("max") @DefaultValue("100") int max) {
        auth.clients().requireView();
        AdminMessages messages = new AdminMessages(AdminRoot.getMessages(
                session, realm, auth.adminAuth().getToken().getLocale()));
        List<DataProvider> page = realm.getClientsStream()
                .flatMap(client -> DataProvider.withMapper(client).stream())
                .sorted((one, other) ->
                        one.client().getClientId().compareTo(other.client().getClientId()))
                .skip(Math.max(0, first))
                .limit(Math.max(0, max))
                .toList();
        EncryptionKeyProvider keys = session.getProvider(EncryptionKeyProvider.class);
        page.forEach(dataProvider ->
                keys.prepare(dataProvider.client(), dataProvider.config().keyAlgorithm()));
        long deadline = System.nanoTime() + KEYS.toNanos();
        List<DataProviderStatus> statuses = page.stream()
                .map(dataProvider -> new DataProviderInspection(session, messages, dataProvider, deadline).status())
                .toList();
        CacheControl never = new CacheControl();
        never.setNoStore(true);
        return Response.ok(statuses).cacheControl(never).build();
    }
}
