import type { Service } from "../service.ts";
export const dynamodbService: Service = {
  name: "dynamodb",
  types: ["local:table"],
  open: async () => {
    throw new Error("x");
  },
};
