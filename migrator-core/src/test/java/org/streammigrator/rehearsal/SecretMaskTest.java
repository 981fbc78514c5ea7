package org.streammigrator.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretMaskTest {
  private static final SecretMask MASK =
      SecretMask.of(
          List.of("hunter2secret", "hunter2", "abc", "a$b\\1"),
          Map.of(
              "MY_TOKEN",
              "tok-1234",
              "AWS_SECRET_ACCESS_KEY",
              "wJal/rX",
              "TLS_KEY",
              "-----BEGIN-----\nMIIEvQIBADANBgkq\n-----END-----",
              "USE_TOKEN",
              "true",
              "TOKEN_PORT",
              "8080",
              "PWD",
              "/here",
              "HOME",
              "/home/me"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "it was hunter2secret, not hunter2.     | it was ***, not ***.",
        "tok-1234:wJal/rX in /home/me           | ***:*** in /home/me",
        "a$b\\1 and abc                         | *** and abc",
        "spark.hadoop.fs.s3a.secret.key=Xyz123 ok | spark.hadoop.fs.s3a.secret.key=*** ok",
        "\"password\": \"pw1\", \"user\": \"u\" | \"password\": ***, \"user\": \"u\"",
        "\"password\" : \"two words\", 'token'='a b' c | \"password\" : ***, 'token'=*** c",
        "-----BEGIN-----\\nMIIEvQIBADANBgkq\\n-----END----- x | *** x",
        "https://user:p@ss/word@host/x          | https://user:***@host/x",
        "fs.s3a.access.key: AKIA1               | fs.s3a.access.key: ***",
        "https://a.blob/x?sv=1&sig=Ab%2F&se=2   | https://a.blob/x?sv=1&sig=***&se=2",
        "Authorization: Bearer eyJ.a-b_c==      | Authorization: Bearer ***",
        "jdbc:x://me:pw9@host/db                | jdbc:x://me:***@host/db",
        "api_key=abcdef and api-key: \"xyz\"    | api_key=*** and api-key: ***",
        "db.pwd=pw7, cwd=/x                     | db.pwd=***, cwd=/x",
        "Authorization: Basic dXNlcjpwYXNz      | Authorization: Basic ***",
        "a basic idea                           | a basic idea",
        "MIIEvQIBADANBgkq                       | ***",
        "it is true that 8080 is in /here       | it is true that 8080 is in /here",
        "password=\\\"pw1\\\" x                  | password=***\" x",
        "\\\"password\\\": \\\"pw1\\\"            | \\\"password\\\": ***\"",
        "monkey: banana                         | monkey: banana",
        "batch 7 committed                      | batch 7 committed",
      })
  void secretsAreMaskedAndNothingElse(String said, String shown) {
    assertThat(MASK.apply(said)).isEqualTo(shown);
  }

  @Test
  void aSecretThatACutLineBeginsIsMasked() {
    String line = "x".repeat(QueryProcess.LONGEST_LINE - 9) + "hunter2se";
    assertThat(MASK.apply(line)).endsWith("xx***").doesNotContain("hunter");
  }
}
