"""The gRPC services: thin handlers that decode, authorise, hand on, await and encode. They hold no state and no rule."""
