import { refuses } from "../../support/refused-rows.ts";

refuses("a command line", [
  { what: "a word that is no command", args: ["deplyo"], says: ["Did you mean deploy?"] },
  {
    what: "a misspelled flag, which must not lead to the personal stage",
    args: ["deploy", "--stagee", "production"],
    says: ["There is no flag --stagee here", "Did you mean --stage?"],
  },
  {
    what: "a flag without its value",
    args: ["deploy", "--stage"],
    says: ["--stage needs a value"],
  },
  {
    what: "an empty value",
    args: ["deploy", "--stage="],
    says: ["--stage needs a value, it was empty"],
  },
  {
    what: "an empty value behind a space",
    args: ["deploy", "--stage", ""],
    says: ["--stage needs a value, it was empty"],
  },
  {
    what: "a flag where a value should stand",
    args: ["logs", "--stage", "--tail"],
    says: ["--stage needs a value, and --tail follows instead"],
  },
  {
    what: "a short flag where a value should stand",
    args: ["deploy", "--stage", "-x"],
    says: ["-x"],
  },
  {
    what: "the same flag twice",
    args: ["deploy", "--stage", "a", "--stage", "b"],
    says: ['--stage is given twice: "a" and "b"'],
  },
  { what: "an argument too many", args: ["deploy", "production"], says: ["one argument too many"] },
  {
    what: "a duration that is none",
    args: ["deploy", "--stage", "dev", "--lock-timeout", "soon"],
    says: ["--lock-timeout takes a duration such as 30s, 10m or 1h"],
  },
  {
    what: "a config that is not there",
    args: ["deploy", "--stage", "dev", "--config", "other.config.ts"],
    says: ["There is no config file at", "other.config.ts"],
  },
  {
    what: "a folder as the config",
    args: ["deploy", "--stage", "dev", "--config", "src"],
    says: ["There is no config file at", "What is there is not a file."],
  },
  {
    what: "an unset variable of a script as the config",
    args: ["deploy", "--stage", "dev", "--config", ""],
    says: ["--config needs a value, it was empty"],
  },
]);
