# An optimised image: Keycloak with the JAR and Conscrypt, already built for PostgreSQL, so that it starts without a build.
#
#   mvn -DskipTests package
#   docker build --tag keycloak-checktoken:1.0.0 .
#
# docs/production.md, "Run it in a container", says how to start it.
# The newest Keycloak that was tested. For the image of a release, add the digest that the registry shows for this tag, with
# --build-arg KEYCLOAK_DIGEST=@sha256:...: nobody can change what that means.
ARG KEYCLOAK_VERSION=26.7.5
ARG KEYCLOAK_DIGEST=
FROM quay.io/keycloak/keycloak:${KEYCLOAK_VERSION}${KEYCLOAK_DIGEST}
ARG CHECKTOKEN_VERSION=1.0.0
COPY --chown=keycloak:keycloak target/keycloak-checktoken-${CHECKTOKEN_VERSION}.jar /opt/keycloak/providers/
# Signs and encrypts answers in native code: docs/operations.md, "Conscrypt". Without these two lines, Java does.
ARG CONSCRYPT_VERSION=2.9.0
COPY --chown=keycloak:keycloak target/conscrypt-openjdk-uber-${CONSCRYPT_VERSION}.jar /opt/keycloak/providers/
# At the start, Keycloak compares the time of the JAR with its time at the build, in milliseconds. An image may keep only
# whole seconds.
RUN touch --date=@1000000000 /opt/keycloak/providers/*.jar \
    && /opt/keycloak/bin/kc.sh build --db=postgres --health-enabled=true --metrics-enabled=true
CMD ["start", "--optimized"]
