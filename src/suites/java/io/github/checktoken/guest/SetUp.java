package io.github.checktoken.guest;

/** Where a journey is made. */
enum SetUp {
    WITHOUT_JAR("without the JAR"),
    UNGUARDED("with the JAR, unguarded"),
    OFF("with the JAR, gate off"),
    GUARDED("with the JAR, guarded");

    private final String title;

    SetUp(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
