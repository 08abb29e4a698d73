"""The GitHub adapter: webhooks in, questions and writes out, over the simulated GitHub at its HTTP edge."""
