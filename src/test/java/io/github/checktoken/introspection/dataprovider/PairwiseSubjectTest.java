package io.github.checktoken.introspection.dataprovider;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.naming.CommunicationException;

import org.keycloak.common.Profile;
import org.keycloak.models.ModelException;
import org.keycloak.models.ProtocolMapperModel;
import org.keycloak.protocol.oidc.mappers.SHA256PairwiseSubMapper;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Keycloak's own pairwise mapper, which reads the client's redirect URIs. They can come from the database. */
class PairwiseSubjectTest {

    private static final ProtocolMapperModel MAPPER =
            FakeDataProvider.mapper("pairwise", Map.of(DataProviderConfig.SALT, "salt"));

    @BeforeAll
    static void enableTheUsualFeatures() {
        Profile.defaults();
    }

    @ParameterizedTest
    @MethodSource
    void nobodyGetsAnotherSubjectBecauseTheMapperFails(RuntimeException failure) {
        assertSame(failure, assertThrows(RuntimeException.class, () -> subject(failure, MAPPER)));
    }

    static List<RuntimeException> nobodyGetsAnotherSubjectBecauseTheMapperFails() {
        return List.of(
                new ModelException("Database operation failed", new SQLException("", "08006")),
                new ModelException("LDAP Query failed", new CommunicationException()),
                new IllegalStateException());
    }

    /** Shows that the exception of the first test is the mapper's, and not that of an incomplete fake. */
    @Test
    void subjectIsTheMappers() {
        assertEquals(
                new SHA256PairwiseSubMapper().generateSub(MAPPER, "dp.example.org", "person"),
                subject(Set.of("https://dp.example.org/"), MAPPER));
    }

    /** Mappers of the same kind run in the order of their ids' hash codes. The last one's is in the ID token, too. */
    @Test
    void ofSeveralMappersTheLastCounts() {
        ProtocolMapperModel first = FakeDataProvider.mapper("1", Map.of(DataProviderConfig.SALT, "first"));
        ProtocolMapperModel last = FakeDataProvider.mapper("2", Map.of(DataProviderConfig.SALT, "last"));
        assertEquals(
                new SHA256PairwiseSubMapper().generateSub(last, "dp.example.org", "person"),
                subject(Set.of("https://dp.example.org/"), last, first));
    }

    @Test
    void withoutAMapperTheSectorIsTheClientId() {
        assertEquals(new SHA256PairwiseSubMapper().generateSub(MAPPER, "dp", "person"), subject(Set.of()));
    }

    /** @param redirectUris those of the data provider, or the exception that reading them leads to */
    private static String subject(Object redirectUris, ProtocolMapperModel... pairwise) {
        FakeDataProvider fake =
                FakeDataProvider.of(redirectUris, Map.of("getId", "person"), new SHA256PairwiseSubMapper(), pairwise);
        return new PairwiseSubject(fake.dataProvider()).of(fake.mappers());
    }
}
