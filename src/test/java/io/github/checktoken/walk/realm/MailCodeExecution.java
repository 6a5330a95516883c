package io.github.checktoken.walk.realm;

/**
 * An execution of a flow that sends codes by mail.
 *
 * @param resets whether its flow resets credentials
 */
public record MailCodeExecution(boolean resets, int maxCodesPerHour) {}
